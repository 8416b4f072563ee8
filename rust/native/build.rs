//! Records how this module is built, for the benchmark manifests.

use std::process::Command;

fn output_of(program: &str, arguments: &[&str]) -> String {
    Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())
        .map_or_else(
            || "unknown".to_owned(),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
}

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let target = std::env::var("TARGET").unwrap_or_else(|_| "unknown".to_owned());
    let profile = std::env::var("OUT_DIR")
        .ok()
        // OUT_DIR is TARGET_DIR/<profile directory>/build/<crate>/out
        .and_then(|path| path.rsplit('/').nth(3).map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=G_BUILD_RUSTC={}", output_of(&rustc, &["--version"]));
    println!("cargo:rustc-env=G_BUILD_TARGET={target}");
    println!("cargo:rustc-env=G_BUILD_PROFILE={profile}");
    println!("cargo:rerun-if-changed=build.rs");
}
