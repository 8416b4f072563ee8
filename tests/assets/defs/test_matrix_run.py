from tests.assets.defs.conftest import facts


def test_first(laboratory):
    result = laboratory.run()
    assert result.success
    print(facts(result, "report"))
