"""Words and tables for people, made from models through templates; nothing is measured or judged here."""
