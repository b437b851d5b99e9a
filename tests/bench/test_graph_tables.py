"""The tables of graphs: every row has its own runs, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import graph_tables

RUN = {"hits_at_1": 0.5, "hits_at_3": 0.5, "hits_at_10": 0.5, "valid_mrr": 0.5, "cpu_seconds": 1.0}


def test_rows_whose_names_begin_alike_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_tables, "RESULTS", tmp_path)
    assert "Not measured yet" in graph_tables.knowledge_graph_table() and "Not" in graph_tables.yeast_table()
    figures = {"1, network, 0": 0.5, "1, network, 1": 0.7, "1, network, chains, 0": 0.9, "0.2, network, 0": 0.1}
    measured = {
        "runs": {f"umls, {name}": {**RUN, "mrr": mrr} for name, mrr in figures.items()},
        "thresholds": {"inclusions": 1, "symmetric": 1, "chains": 2, "chosen": {"inclusion": 0.8, "chain": 2.0}},
        "settings": {"epochs": 3},
    }
    (tmp_path / "knowledge_graph.json").write_text(json.dumps(measured), "utf-8")
    lines = graph_tables.knowledge_graph_table().splitlines()
    assert lines[2].startswith("| pair network | 2 | 0.600 ± 0.141 |")
    assert lines[3].startswith("| pair network, labels completed by chains | 1 | 0.900 |")
    assert lines[4].startswith("| pair network, 20 % of the triples | 1 | 0.100 |")
    assert lines[-1] == (
        "1 inclusions, 1 symmetric roles and 2 chains; least shares: inclusion 80 %, chain never; 3 epochs."
    )


def test_peers_and_published_figures_stand_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_tables, "RESULTS", tmp_path)
    measured = {
        "runs": {"umls, 1, network, 0": {**RUN, "mrr": 0.9}},
        "thresholds": {"inclusions": 0, "symmetric": 0, "chains": 0, "chosen": {}},
        "settings": {"epochs": 3},
    }
    (tmp_path / "knowledge_graph.json").write_text(json.dumps(measured), "utf-8")
    (tmp_path / "graph_peers.json").write_text(json.dumps({"rows": {"umls": {"ConvE": {"0": {**RUN, "mrr": 0.8}}}}}))
    lines = graph_tables.knowledge_graph_table().splitlines()
    assert "| ConvE, by PyKEEN | 1 | 0.800 | 0.500 | 0.500 | 0.500 | – | 1 |" in lines
    assert "| ConvE, its authors | – | 0.94 | 0.92 | 0.97 | 0.99 | – | – |" in lines
