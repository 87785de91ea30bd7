"""The API's description: the page that shows it, and what each operation shares."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import OpenAPISchema

from supervisor_site.api_base import Problem

PROBLEM_CONTENT = {
    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
}


class DocsPage(DocsBase):
    """Swagger UI from our own static files, in the site's shell."""

    def render_page(
        self, request: HttpRequest, api: NinjaAPI, **kwargs: Any
    ) -> HttpResponse:
        context = {"openapi_url": self.get_openapi_url(api, kwargs), "area": "api"}
        return render(request, "api/docs.html", context)


class Api(NinjaAPI):
    """Describes besides each operation's own answers the problem it may give."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**options)
        shape = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas = schema["components"]["schemas"]
        schemas |= shape.pop("$defs") | {"Problem": shape}
        problem = {"description": "A problem", "content": PROBLEM_CONTENT}
        for operations in schema["paths"].values():
            for operation in operations.values():
                answers = {str(k): v for k, v in operation["responses"].items()}
                operation["responses"] = answers | {"default": problem}
        return schema
