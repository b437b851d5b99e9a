"""The hot loop of reading a large document: bytes to numbers, for the statements that most of it consists of.

A *plain* statement is of names and of the constructs in `WORDS` alone, such as

    EquivalentClasses(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :C)))

Each distinct name gets a number, and each distinct class expression, its parts before itself. Of any other statement
only where it begins and ends is noted. What is in doubt is refused, and the document is read by another way.

This file is plain Python on arrays; `read_plain` compiles it. Nothing in here allocates: where the space runs out,
`scan` returns FULL for the caller to begin again with more.
"""

from __future__ import annotations

from typing import NamedTuple

from moose.owl.syntax.functional.byte_spans import (
    CLOSE,
    LESS,
    OPEN,
    QUOTE,
    Array,
    end_of_gap,
    end_of_name,
    end_of_statement,
    is_letter,
)

WORDS = (
    *("SubClassOf", "EquivalentClasses", "DisjointClasses", "Declaration", "ClassAssertion", "ObjectPropertyAssertion"),
    *("Class", "ObjectProperty", "NamedIndividual", "ObjectSomeValuesFrom", "ObjectIntersectionOf"),
)
SUBCLASS, EQUIVALENT, DISJOINT, DECLARATION, INSTANCE, LINK, CLASS, ROLE, INDIVIDUAL, SOME, AND = range(11)
OTHER = -1
"""Of a word that is none of these; of a statement that is not plain."""

NAMES, NODES, OPERANDS, STATEMENTS, TOP, POSITION, SEED, SHORT = range(8)
"""Places in `Space.counters`: how many there are of each, and how high the stack is; how far the text is read; an odd
number that nobody knows beforehand, so that nobody can write a document whose names all hash to the same; and of which
of the first five there was too little space."""

DONE, PAUSED, FULL, REFUSED = range(4)
"""How `scan` ends."""

DEEPEST = 60
"""Constructs inside each other in a plain statement."""

LARGEST = 0x7FFFFFFFFFFFFFFF
"""Of the numbers that digests are kept to."""


class Space(NamedTuple):
    """What has been read, as arrays that are filled from the front."""

    counters: Array
    name_start: Array
    name_end: Array
    name_hash: Array
    name_slots: Array
    class_of_name: Array
    """The node of a name as a class, -1 where it has not been one."""
    node_kind: Array
    node_first: Array
    node_second: Array
    node_slots: Array
    operands: Array
    statement_kind: Array
    first: Array
    second: Array
    third: Array
    stack: Array
    """The arguments read so far of all constructs that are open: of a name twice its number, of a node that and one."""
    open_word: Array
    open_base: Array
    """Of each open construct, its word and where its arguments begin on the stack."""
    word_bytes: Array
    word_ptr: Array


# ── Numbers for names and expressions ─────────────────────────────────────────────────────────────────────────────


def word_at(data: Array, start: int, end: int, space: Space) -> int:
    """Return which of the words stands somewhere."""
    for word in range(len(space.word_ptr) - 1):
        begin = space.word_ptr[word]
        if space.word_ptr[word + 1] - begin != end - start:
            continue
        place = 0
        while place < end - start and data[start + place] == space.word_bytes[begin + place]:
            place += 1
        if place == end - start:
            return word
    return OTHER


def name_at(data: Array, start: int, end: int, space: Space) -> int:
    """Return the number of a name; -1 where there is no space for a new one."""
    digest = space.counters[SEED]  # FNV-1a, in 63 bits
    for place in range(start, end):
        digest = ((digest ^ data[place]) * 1099511628211) & LARGEST
    mask = len(space.name_slots) - 1
    slot = (digest ^ (digest >> 32)) & mask
    while space.name_slots[slot] != -1:
        name = space.name_slots[slot]
        if space.name_hash[name] == digest and space.name_end[name] - space.name_start[name] == end - start:
            begin = space.name_start[name]
            place = 0
            while place < end - start and data[begin + place] == data[start + place]:
                place += 1
            if place == end - start:
                return name
        slot = (slot + 1) & mask
    name = space.counters[NAMES]
    if name >= len(space.name_start):
        space.counters[SHORT] = NAMES
        return -1
    space.counters[NAMES] = name + 1
    space.name_start[name] = start
    space.name_end[name] = end
    space.name_hash[name] = digest
    space.name_slots[slot] = name
    return name


def add_node(space: Space, kind: int, first: int, second: int) -> int:
    """Number a new expression; -1 where there is no space for it."""
    node = space.counters[NODES]
    if node >= len(space.node_kind):
        space.counters[SHORT] = NODES
        return -1
    space.counters[NODES] = node + 1
    space.node_kind[node] = kind
    space.node_first[node] = first
    space.node_second[node] = second
    return node


def classes_on_stack(space: Space, start: int, stop: int) -> bool:
    """Turn names on the stack into expressions, as they stand where classes do; return whether there was space."""
    for place in range(start, stop):
        value = space.stack[place]
        if value & 1:
            continue
        node = space.class_of_name[value >> 1]
        if node == -1:
            node = add_node(space, CLASS, value >> 1, 0)
            if node == -1:
                return False
            space.class_of_name[value >> 1] = node
        space.stack[place] = 2 * node + 1
    return True


def is_same_node(space: Space, node: int, kind: int, first: int, second: int) -> bool:
    """Return whether a node is ∃r.C with these numbers, or a conjunction of the operands from `first`."""
    if space.node_kind[node] != kind or space.node_second[node] != second:
        return False
    known = space.node_first[node]
    if kind == SOME:
        return known == first
    place = 0
    while place < second and space.operands[known + place] == space.operands[first + place]:
        place += 1
    return place == second


def node_of(space: Space, kind: int, first: int, second: int, digest: int) -> int:
    """Return the number of ∃r.C, or of a conjunction whose operands are the last ones noted; -1 without space."""
    mask = len(space.node_slots) - 1
    slot = (digest ^ (digest >> 29)) & mask
    while space.node_slots[slot] != -1:
        node = space.node_slots[slot]
        if is_same_node(space, node, kind, first, second):
            if kind == AND:
                space.counters[OPERANDS] = first
            return node
        slot = (slot + 1) & mask
    node = add_node(space, kind, first, second)
    if node != -1:
        space.node_slots[slot] = node
    return node


# ── Statements ────────────────────────────────────────────────────────────────────────────────────────────────────


def add_statement(space: Space, kind: int, first: int, second: int, third: int) -> int:
    """Note a statement; return DONE or FULL."""
    number = space.counters[STATEMENTS]
    if number >= len(space.statement_kind):
        space.counters[SHORT] = STATEMENTS
        return FULL
    space.counters[STATEMENTS] = number + 1
    space.statement_kind[number] = kind
    space.first[number] = first
    space.second[number] = second
    space.third[number] = third
    return DONE


def fits(space: Space, word: int, declared: int, base: int, count: int) -> bool:
    """Return whether a construct has as many arguments as it takes, and names where no expression can stand."""
    if declared != OTHER and word != DECLARATION:
        return False
    if word in (AND, EQUIVALENT, DISJOINT):
        return count > 0
    if word == SUBCLASS:
        return count == 2
    if word == SOME:
        return count == 2 and not space.stack[base] & 1
    if word == INSTANCE:
        return count == 2 and not space.stack[base + 1] & 1
    if word == LINK:
        return count == 3 and not (space.stack[base] | space.stack[base + 1] | space.stack[base + 2]) & 1
    return word == DECLARATION and declared != OTHER and count == 1 and not space.stack[base] & 1


def close(space: Space, word: int, declared: int, base: int) -> int:
    """Build the construct of the arguments on the stack from `base`; return DONE, FULL or REFUSED.

    An expression is put in the place of its arguments, a statement is noted.
    """
    count = space.counters[TOP] - base
    if not fits(space, word, declared, base, count):
        return REFUSED
    start = base + 1 if word == SOME else base
    stop = base + 1 if word == INSTANCE else base if word in (LINK, DECLARATION) else base + count
    if not classes_on_stack(space, start, stop):
        return FULL
    first = space.stack[base] >> 1
    second = space.stack[base + 1] >> 1
    seed = space.counters[SEED]
    digest = (first * seed + second) & LARGEST
    if word in (AND, EQUIVALENT, DISJOINT):
        begin = space.counters[OPERANDS]
        if begin + count > len(space.operands):
            space.counters[SHORT] = OPERANDS
            return FULL
        digest = count
        for place in range(count):
            operand = space.stack[base + place] >> 1
            space.operands[begin + place] = operand
            digest = (digest * seed + operand) & LARGEST
        space.counters[OPERANDS] = begin + count
        first = begin
        second = count
    if word in (AND, SOME):
        node = node_of(space, word, first, second, digest)
        if node == -1:
            return FULL
        space.stack[base] = 2 * node + 1
        space.counters[TOP] = base + 1
        return DONE
    return add_statement(space, declared if word == DECLARATION else word, first, second, space.stack[base + 2] >> 1)


def is_declared(space: Space, depth: int) -> bool:
    """Return whether Class(…) and the like stand in a declaration, with one name between their parentheses."""
    is_inside = depth == 1 and space.open_word[0] == DECLARATION
    return is_inside and space.open_base[1] == 0 and space.counters[TOP] == 1


def push_name(data: Array, start: int, end: int, space: Space) -> bool:
    """Put a name on the stack; return whether there was space."""
    top = space.counters[TOP]
    if top + 3 >= len(space.stack):
        space.counters[SHORT] = TOP
        return False
    name = name_at(data, start, end, space)
    if name == -1:
        return False
    space.stack[top] = 2 * name
    space.counters[TOP] = top + 1
    return True


def plain_statement(data: Array, position: int, space: Space) -> int:
    """Read a plain statement; return DONE, with the counters behind it, or FULL, or REFUSED where it is not plain."""
    size = len(data)
    space.counters[TOP] = 0
    depth = 0
    declared = OTHER
    while True:
        position = end_of_gap(data, position)
        if position >= size:
            return REFUSED
        if data[position] == CLOSE:
            depth -= 1
            position += 1
            word = space.open_word[depth]
            if word in (CLASS, ROLE, INDIVIDUAL):
                if declared != OTHER or not is_declared(space, depth):
                    return REFUSED
                declared = word
                continue
            ended = close(space, word, declared, space.open_base[depth])
            if ended != DONE or depth == 0:
                space.counters[POSITION] = position
                return ended
            continue
        end = end_of_name(data, position)
        if end == -1:
            return REFUSED
        if end < size and data[end] == OPEN and data[position] != LESS:
            word = word_at(data, position, end, space)
            if word == OTHER or (word <= LINK) != (depth == 0) or depth == DEEPEST:
                return REFUSED
            space.open_word[depth] = word
            space.open_base[depth] = space.counters[TOP]
            depth += 1
            position = end + 1
            continue
        if depth == 0 or (end < size and data[end] in (QUOTE, LESS)):
            return REFUSED
        if not push_name(data, position, end, space):
            return FULL
        position = end


def scan(data: Array, space: Space, pause: int) -> int:
    """Read the statements from where the counters stand to the parenthesis that closes them, or a little past `pause`.

    DONE: the counters stand behind that parenthesis. PAUSED: call again. FULL: begin again with more space. REFUSED:
    the text is not clear.
    """
    size = len(data)
    while True:
        position = end_of_gap(data, space.counters[POSITION])
        if position >= size:
            return REFUSED
        if data[position] == CLOSE:
            space.counters[POSITION] = position + 1
            return DONE
        if not is_letter(data[position]):
            return REFUSED
        if position > pause:
            space.counters[POSITION] = position
            return PAUSED
        ended = plain_statement(data, position, space)
        if ended == FULL:
            return FULL
        if ended == REFUSED:
            end = end_of_statement(data, position)
            if end == -1:
                return REFUSED
            if add_statement(space, OTHER, position, end, 0) == FULL:
                return FULL
            space.counters[POSITION] = end
