"""Which cases the text of a test file has, read without executing it.

What a framework collects, it collects in a process with the solution in it, which could make cases disappear. So every
test function that stands plainly in the text must be among them. A file that decides itself what it is made of
(load_tests, hooks of pytest) is taken at its word.
"""
import ast

_DECIDES = ("load_tests", "pytest_collection_modifyitems", "pytest_ignore_collect", "pytest_pycollect", "collect_ignore",
            "pytest_itemcollected", "pytest_deselected", "python_functions", "python_classes", "python_files")


def decides_itself(texts):
    return any(word in text for text in texts for word in _DECIDES)


def expected(tree, any_test_class):
    """(name, class path) of each: ("test_add", "TestDate"). `any_test_class`: as pytest does, by the class' name too."""
    cases = []
    _look_into(tree.body, [], any_test_class, cases)
    return cases


def _look_into(body, classes, any_test_class, cases):
    deleted = {target.id for node in body if isinstance(node, ast.Delete) for target in node.targets
               if isinstance(target, ast.Name)}
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name not in deleted and _is_test_class(node, any_test_class):
            _look_into(node.body, [*classes, node.name], any_test_class, cases)
        if isinstance(node, ast.FunctionDef) and node.name not in deleted and _is_test(node, classes, any_test_class):
            cases.append((node.name, ".".join(classes)))


def _is_test(node, classes, any_test_class):
    decorated = any("fixture" in ast.dump(decorator) for decorator in node.decorator_list)
    return node.name.startswith("test") and not decorated and (bool(classes) or any_test_class)


def _is_test_class(node, any_test_class):
    if any("dataclass" in ast.dump(decorator) for decorator in node.decorator_list):  # which gives it an __init__
        return False
    names = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    if any(name.endswith("TestCase") for name in names):
        return not _has(node, "__test__")
    return any_test_class and node.name.startswith("Test") and not _has(node, "__init__") and not _has(node, "__test__")


def _has(node, name):
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == name:
            return True
        if isinstance(part, ast.Assign) and any(getattr(target, "id", "") == name for target in part.targets):
            return True
    return False
