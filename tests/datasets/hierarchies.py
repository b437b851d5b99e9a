"""Small files of hierarchical multi-label classification and of genes, as the tests make them."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
HMC = SHARED / "scale" / "hmc"
GENES = SHARED / "scale" / "human-go"
NO_HMC = "the folder ../shared/data/scale/hmc is not there"
NO_GENES = "the folder ../shared/data/scale/human-go is not there"

TREE = "1,1/1,1/2,1/2/1,2,2/1,2/2"
GRAPH = (
    "root/GO0003674,root/GO0008150,root/GO0005575,GO0003674/GO0000001,GO0003674/GO0000002,GO0000001/GO0000003,"
    "GO0000002/GO0000003,GO0008150/GO0000004,GO0000003/GO0000005,GO0000004/GO0000005"
)
LEAVES = {
    "tree": ("1/1", "1/2/1", "2/1@1/2", "2/2", "1"),
    "graph": ("GO0000003", "GO0000005", "GO0000004", "GO0000001"),
}

DEFINITIONS = """Prefix(o:=<http://purl.obolibrary.org/obo/>)
Ontology(<http://example.org/go>
EquivalentClasses(o:GO_0000004 ObjectIntersectionOf(o:GO_0000001 ObjectSomeValuesFrom(o:BFO_0000050 o:GO_0000021)))
EquivalentClasses(o:GO_0000009 ObjectIntersectionOf(o:GO_0000001 ObjectSomeValuesFrom(o:BFO_0000050 o:GO_0000021)))
EquivalentClasses(o:GO_0000005 ObjectIntersectionOf(o:GO_0000003 ObjectSomeValuesFrom(o:BFO_0000050 o:GO_0000020)))
SubClassOf(o:GO_0000021 o:GO_0000020)
TransitiveObjectProperty(o:BFO_0000050)
)
"""
"""Of the second term there are no genes, and the third is not below its genus."""


def arff(kind: str, count: int, seed: int, *, classes: str = "") -> str:
    """Write a file with two numbers, one of them missing now and then, and categories."""
    generator = np.random.default_rng(seed)
    lines = [
        "% made by a test",
        "@RELATION 'small one'",
        "",
        "@ATTRIBUTE size%_5_min         numeric",
        "@attribute 'its weight' NUMERIC",
        "@ATTRIBUTE colour {red,green, blue}",
        f"@ATTRIBUTE class   hierarchical {classes or (TREE if kind == 'tree' else GRAPH)}",
        "@DATA",
    ]
    for row in range(count):
        size, weight = generator.normal(size=2).round(3).tolist()
        colour = ("red", "green", "blue", "?")[row % 4]
        labels = LEAVES[kind][row % len(LEAVES[kind])]
        if row % 7 == 6:
            lines.append(f"{{1 {weight}, 3 {labels}}} % sparse")
        else:
            lines.append(f"{size},{'?' if row % 5 == 4 else weight},{colour},{labels}")
    return "\n".join(lines) + "\n"


def small_texts() -> dict[str, str]:
    """Return the files of a tree without a validation file, a tree with one, and a graph."""
    texts = {
        "HMC_data/others/ImCLEF07A_Train.arff": arff("tree", 100, 0),
        "HMC_data/others/ImCLEF07A_Test.arff": arff("tree", 30, 1),
    }
    for number, split in enumerate(("train", "valid", "test")):
        texts[f"HMC_data/datasets_FUN/spo_FUN/spo_FUN.{split}.arff"] = arff("tree", 50, 2 + number)
        texts[f"HMC_data/datasets_GO/spo_GO/spo_GO.{split}.arff"] = arff("graph", 50, 5 + number)
    return texts


def write_archive(path: Path, texts: Mapping[str, str], *, prefix: str = "") -> Path:
    """Pack files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(prefix + name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def write_folder(folder: Path, texts: Mapping[str, str]) -> Path:
    """Write files unpacked."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def make_hmc(folder: Path) -> Path:
    """Write a small archive into a folder of its own."""
    write_archive(folder / "hmc-small.tar.gz", small_texts())
    return folder


def make_genes(folder: Path, *, count: int = 240) -> Path:
    """Write tables of a few hundred genes: domains in families of four, terms that follow the domains."""
    go, pfam, prosite = ["entrez\tgo_id\tevidence\taspect"], ["entrez\tpfam"], ["entrez\tprosite"]
    for gene in range(count):
        family = gene // 4
        pfam.append(f"{gene}\tPF{family:05}")
        if gene % 3 == 0:
            pfam.append(f"{gene}\tPF9{gene:04}")
        if family < 15:
            pfam.append(f"{gene}\tPF80000")  # what makes a giant of some families
        prosite.append(f"{gene}\tPS{family % 5:05}")
        go.append(f"{gene}\tGO:000000{3 + family % 4}\t{'IDA' if gene % 2 else 'TAS'}\tmf")
        go.append(f"{gene}\tGO:0000009\tIEA\tmf")
        if family % 2:
            go.append(f"{gene}\tGO:0000021\tIMP\tbp")
    go.append("9000\tGO:0000003\tIDA\tmf")  # a gene without a domain
    edges = [
        "child\tparent\trelation\taspect",
        *(f"GO:000000{low}\tGO:000000{high}\tisa\tmf" for low, high in ((3, 1), (4, 1), (4, 2), (5, 2), (9, 2))),
        "GO:0000006\tGO:0000003\tpart of\tmf",
        *(f"GO:000000{term}\tGO:0003674\tisa\tmf" for term in (1, 2)),
        "GO:0003674\tall\tisa\tmf",
        "GO:0000021\tGO:0000020\tisa\tbp",
        "GO:0000020\tGO:0008150\tisa\tbp",
        "GO:0000003\tGO:0000020\tregulates\tmf",
    ]
    folder.mkdir(parents=True, exist_ok=True)
    names = ("gene2go", "gene2pfam", "gene2prosite", "go-2022-07-01-edges")
    for name, lines in zip(names, (go, pfam, prosite, edges)):
        (folder / f"{name}.tsv.gz").write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    (folder / "go.ofn").write_text(DEFINITIONS, encoding="utf-8")
    return folder
