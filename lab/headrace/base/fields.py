"""The comments beside a model's fields: the models are their own reference."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from functools import cache

from pydantic import BaseModel


@cache
def comments(model: type[BaseModel]) -> dict[str, str]:
    """Return the comment beside each field of a model, and of the models that it derives from."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, BaseModel) and owner is not BaseModel:
            found |= _own(owner)
    return {name: found.get(name, "") for name in model.model_fields}


def _own(model: type[BaseModel]) -> dict[str, str]:
    source = textwrap.dedent(inspect.getsource(model))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    beside = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        node.target.id: " ".join(
            beside[line]
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if line in beside
        )
        for node in body.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
