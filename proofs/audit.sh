#!/bin/sh
# Ask Coq what the theorems of the library rest on; anything but "Closed under the global context" fails.
# Also fails on a statement that was left open, and on a theorem that the README names but no file has.
set -eu
cd "$(dirname "$0")"
sources=$(grep '\.v$' _CoqProject)

if grep -nE '^[[:space:]]*(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|admit)\b' $sources; then
    echo "audit: expected no open statement, found the ones above; prove them" >&2
    exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for source in $sources; do
    sed -nE 's/^[[:space:]]*(Theorem|Corollary|Lemma|Proposition|Example)[[:space:]]+([A-Za-z0-9_'"'"']+).*/\2/p' "$source" |
        while read -r name; do echo "${source%.v}.$name"; done
done >"$folder/names"

# One term that mentions every statement, so that Coq walks what they share only once.
{
    for source in $sources; do echo "From Moose Require ${source%.v}."; done
    echo "Definition audit : True :="
    sed 's/.*/  let _ := @Moose.& in/' "$folder/names"
    echo "  I."
    echo "Print Assumptions audit."
} >"$folder/audit.v"
coqc -Q . Moose "$folder/audit.v" >"$folder/audit.out"
if ! grep -qx 'Closed under the global context' "$folder/audit.out"; then
    head -20 "$folder/audit.out" >&2
    echo "audit: expected every statement closed, found the assumptions above; remove them" >&2
    exit 1
fi
echo "audit: $(wc -l <"$folder/names") statements, all closed under the global context"

grep -oE '`[A-Z][A-Za-z_0-9]*\.[A-Za-z_0-9]+`' README.md | tr -d '`' | grep -v '\.v$' | sort -u >"$folder/named"
while read -r name; do
    grep -qx "$name" "$folder/names" || {
        echo "audit: README names $name, but no file proves it; correct one of the two" >&2
        exit 1
    }
done <"$folder/named"
echo "audit: the README names $(wc -l <"$folder/named") of them, all there"

# The kernel's independent checker reads the compiled files again, and lists what they assume.
coqchk -silent -o -Q . Moose $(for source in $sources; do echo "Moose.${source%.v}"; done) >"$folder/coqchk.out" 2>&1 || {
    tail -20 "$folder/coqchk.out" >&2
    exit 1
}
if ! tr -s ' \n' ' ' <"$folder/coqchk.out" | grep -q 'Axioms: <none>'; then
    cat "$folder/coqchk.out" >&2
    echo "audit: expected coqchk to find no axioms, found the ones above" >&2
    exit 1
fi
echo "audit: coqchk agrees, no axioms"
