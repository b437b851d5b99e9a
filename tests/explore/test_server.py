"""The explorer over HTTP: every answer, and everybody who is kept out."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any
from urllib.parse import urlencode

import pytest

from moose.explore.server import HEADERS, LOOPBACK, ExploreServer

NOTHING = "http://www.w3.org/2002/07/owl#Nothing"
THING = "http://www.w3.org/2002/07/owl#Thing"
PIZZERIA = "https://example.org/pizzeria#"


def get(server: ExploreServer, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask a path as it is written, behind the server's name."""
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=named)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, dict(response.getheaders()), body


def ask(server: ExploreServer, name: str, **parameters: str) -> dict[str, Any]:
    """Return an answer that must be there."""
    status, headers, body = get(server, f"/{server.token}/api/{name}?{urlencode(parameters)}")
    assert status == 200, body
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    answer: dict[str, Any] = json.loads(body)
    return answer


def complaint(server: ExploreServer, name: str, **parameters: str) -> str:
    """Return the one sentence that a bad request gets."""
    status, headers, body = get(server, f"/{server.token}/api/{name}?{urlencode(parameters)}")
    assert status == 400, body
    assert headers["Content-Type"].startswith("application/json")
    answer = json.loads(body)
    assert list(answer) == ["error"] and "\n" not in answer["error"] and "Traceback" not in answer["error"]
    return str(answer["error"])


# ── Answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_about(server: ExploreServer) -> None:
    about = ask(server, "about")
    assert (about["classes"], about["unsatisfiable"], about["has_task"]) == (37, 1, False)


def test_search_finds_by_label_and_by_name(server: ExploreServer) -> None:
    by_label = ask(server, "search", text="chilli pep")["matches"]
    assert [one["name"] for one in by_label] == ["Chilli"]
    assert ask(server, "search", text="SPICYD")["matches"][0]["iri"] == f"{PIZZERIA}SpicyDish"
    assert ask(server, "search", text="no such thing")["matches"] == []


def test_children_and_path(server: ExploreServer) -> None:
    top = ask(server, "children", iri=THING)
    assert top["total"] == len(top["children"]) == 10
    food = next(one for one in top["children"] if one["name"] == "Food")
    assert food["child_count"] == 2
    names = [one["name"] for one in ask(server, "children", iri=food["iri"])["children"]]
    assert names == ["Dish", "Ingredient"]
    assert ask(server, "children", iri=food["iri"], **{"from": "1"})["children"][0]["name"] == "Ingredient"
    path = [one["name"] for one in ask(server, "path", iri="Diavola")["path"]]
    assert path[0] == "owl:Thing" and path[-1] == "Diavola"


def test_a_class_has_its_axioms_and_its_inferred_place(server: ExploreServer) -> None:
    one = ask(server, "class", iri="Diavola")
    assert one["is_satisfiable"] and len(one["axioms"]) == 1
    assert {(parent["name"], parent["is_asserted"]) for parent in one["parents"]} == {
        ("Margherita", True),
        ("SpicyDish", False),
    }
    assert not ask(server, "class", iri="VeganSalami")["is_satisfiable"]
    assert not ask(server, "class", iri=NOTHING)["is_satisfiable"]
    assert ask(server, "class", iri="CowMilk")["parents"][0]["is_asserted"]
    assert ask(server, "annotations", iri="Chilli")["annotations"] == [
        {"property": "rdfs:label", "value": "chilli pepper", "language": "en"}
    ]


def test_why_is_a_picture_whose_boxes_are_the_steps(server: ExploreServer) -> None:
    proof = ask(server, "why", sub="Diavola", sup="SpicyDish")["proofs"][0]
    tag, _, _, children = proof["picture"]
    boxes = [attributes["data-step"] for name, attributes, _, _ in children if name == "g"]
    assert tag == "svg" and sorted(map(int, boxes)) == [step["number"] for step in proof["steps"]]
    assert [step["is_goal"] for step in proof["steps"]].count(True) == 1
    assert ask(server, "why", sub="SpicyDish", sup="Diavola")["proofs"] is None


def test_a_dl_query(server: ExploreServer) -> None:
    answer = ask(server, "query", text="Pizza and contains some Fish")
    assert [one["name"] for one in answer["relations"]["children"]["names"]] == ["Napoli"]
    assert not ask(server, "query", text="Plant and Meat")["is_satisfiable"]


def test_unsatisfiable_classes_with_justifications_and_repairs(server: ExploreServer) -> None:
    assert [one["name"] for one in ask(server, "unsatisfiable")["classes"]] == ["VeganSalami"]
    sets = ask(server, "sets", sub="VeganSalami", sup=NOTHING)
    assert [len(axioms) for axioms in sets["justifications"]] == [3]
    assert [len(axioms) for axioms in sets["repairs"]] == [1, 1, 1]


def test_a_probability_follows_its_axioms(server: ExploreServer) -> None:
    goal = "Tomato SubClassOf Food"
    first = ask(server, "probability", goal=goal)
    assert first["probability"] == 1 and first["is_exact"] and len(first["axioms"]) == 3
    position = first["axioms"][0]["position"]
    moved = ask(server, "probability", goal=goal, **{f"p{position}": "0.25"})
    assert moved["probability"] == 0.25
    assert [one["slope"] for one in moved["axioms"]].count(0.25) == 2


# ── Bad requests ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("query", {"text": "Piza"}, "did you mean Pizza?"),
        ("query", {"text": "Pizza and ("}, "the query"),
        ("query", {"text": "not Pizza"}, "OWL 2 EL"),
        ("query", {}, "expected a text as `text`"),
        ("query", {"text": "(" * 3_999}, ""),
        ("search", {"text": "x" * 5_000}, "at most 4,000 letters"),
        ("class", {"iri": "urn:no"}, "the ontology has no 'urn:no'"),
        ("children", {"iri": THING, "from": "-1"}, "whole number"),
        ("why", {"sub": "Pizza"}, "expected a text as `sup`"),
        ("probability", {"goal": "nonsense"}, "goal"),
        ("probability", {"goal": "Tomato SubClassOf Food", "p3": "2"}, "probability"),
        ("probability", {"goal": "Tomato SubClassOf Food", "p3": "1e999999"}, "in decimals"),
        ("shortcuts", {}, "--task"),
    ],
)
def test_a_bad_request_gets_one_sentence(
    server: ExploreServer, name: str, parameters: dict[str, str], said: str
) -> None:
    assert said in complaint(server, name, **parameters)


@pytest.mark.parametrize("query", ["text=%ff", "&".join(f"a{number}=1" for number in range(500))])
def test_parameters_that_cannot_be_read_are_refused(server: ExploreServer, query: str) -> None:
    status, _, body = get(server, f"/{server.token}/api/search?{query}")
    assert status == 400 and "error" in json.loads(body)


# ── Who is kept out ───────────────────────────────────────────────────────────────────────────────────────────────


def test_it_listens_on_the_loopback_interface_alone(server: ExploreServer) -> None:
    assert server.socket.getsockname()[0] == LOOPBACK
    assert len(server.token) >= 32


@pytest.mark.parametrize("path", ["/", "/x/", "/x/api/about", "//", "/%00/", "/%c3%bc/"])
def test_without_the_token_there_is_nothing(server: ExploreServer, path: str) -> None:
    status, headers, body = get(server, path)
    assert status == 403 and server.token.encode() not in body
    assert "pizzeria" not in body.decode()
    assert headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_a_foreign_host_is_refused(server: ExploreServer, host: str) -> None:
    status, _, body = get(server, f"/{server.token}/api/about", Host=host.format(port=server.server_port))
    assert status == 403 and "Host" in json.loads(body)["error"]


def test_two_hosts_are_refused(server: ExploreServer) -> None:
    own = f"Host: {LOOPBACK}:{server.server_port}\r\n"
    request = f"GET /{server.token}/api/about HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n"
    with socket.create_connection((LOOPBACK, server.server_port), timeout=60) as connection:
        connection.sendall(request.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "cors"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "no-cors"},
    ],
)
def test_another_page_is_refused(server: ExploreServer, headers: dict[str, str]) -> None:
    assert get(server, f"/{server.token}/api/about", **headers)[0] == 403


def test_its_own_page_and_a_link_are_let_in(server: ExploreServer) -> None:
    path = f"/{server.token}/"
    assert get(server, path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200
    own = f"http://localhost:{server.server_port}"
    assert get(server, path, Host=own[7:], Origin=own, Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *("../server.py", "..%2fserver.py", "%2e%2e/server.py", "./page.html", "page.html", "/etc/passwd"),
        *("api", "api/", "api/answer", "api/__class__", "api/about/", "explore.js/..", "explore.js%00", "static/x"),
    ],
)
def test_no_path_leads_to_a_file(server: ExploreServer, path: str) -> None:
    status, _, body = get(server, f"/{server.token}/{path}")
    assert status == 404 and list(json.loads(body)) == ["error"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(server: ExploreServer, method: str) -> None:
    assert get(server, f"/{server.token}/api/about", method=method)[0] == 501


@pytest.mark.parametrize("path", ["", "explore.js", "explore.css", "api/about", "nothing"])
def test_every_answer_has_the_headers(server: ExploreServer, path: str) -> None:
    _, headers, _ = get(server, f"/{server.token}/{path}")
    assert HEADERS.items() <= headers.items()
    assert "unsafe" not in headers["Content-Security-Policy"]


def test_the_head_is_without_body(server: ExploreServer) -> None:
    status, headers, body = get(server, f"/{server.token}/", method="HEAD")
    assert status == 200 and int(headers["Content-Length"]) > 500 and body == b""


def test_a_target_that_is_too_long_is_refused(server: ExploreServer) -> None:
    assert get(server, f"/{server.token}/api/search?text={'x' * 40_000}")[0] == 413
    assert get(server, f"/{server.token}/api/search?text={'x' * 70_000}")[0] == 414


def test_a_refusal_by_the_library_has_the_headers_too(server: ExploreServer) -> None:
    for method, path in (("POST", "/"), ("GET", f"/{'x' * 70_000}")):
        _, headers, body = get(server, path, method=method)
        assert HEADERS.items() <= headers.items() and list(json.loads(body)) == ["error"]


@pytest.mark.parametrize("headers", [{"Content_Length": "5"}, {"Transfer_Encoding": "chunked"}])
def test_a_body_is_refused(server: ExploreServer, headers: dict[str, str]) -> None:
    assert get(server, f"/{server.token}/api/about", **headers)[0] == 413
