"""What the page says to people who do not know the paper: what is done here, and what its words mean."""

from __future__ import annotations

INTRODUCTION = (
    (
        "Networks learn here to recognise what nobody labelled. They see images, an ontology says how concepts go "
        "together, and of each image a little is told, such as that the digit is even. They are judged by what was "
        "never told: which digit it is, or what lies on the pizza. The methods differ in how they use the ontology. "
        "The experiments are those of the paper on Moose, whose numbers stand beside ours."
    ),
    (
        "MNIST 1 to 3 are the paper's experiments 1 to 3. MNIST 1 shows one handwritten digit, and up to three facts "
        "are told of whether it is even, odd, prime or composite; MNIST 2 shows a digit and the next one, and the "
        "facts are of prime and composite only; MNIST 3 shows a digit and the one two after it, and the facts are of "
        "all four."
    ),
    (
        "Pizzas A to C are the tracks A to C of its experiment 4, and each image shows a pizza of one of four kinds. "
        "On A the kind is told, and the toppings of five other kinds are asked; on B one property is told, such as "
        "that it is not vegetarian, and kind and toppings are asked; on C it is told whether the pizza is spicy, and "
        "four spicy toppings are asked."
    ),
)
"""A paragraph each."""

GLOSSARY = (
    (
        "latent atom",
        (
            "A statement about one thing in an image that training never tells, such as that it is a seven. A method "
            "says how likely each one is."
        ),
    ),
    (
        "family",
        "Concepts of which a thing has just one, such as the ten digits.",
    ),
    (
        "evidence",
        "What is told of an image: that some concepts hold of what it shows, or do not.",
    ),
    (
        "theory",
        (
            "What the ontology says of everything, such as that a two is even and prime; and which things are known to "
            "stand in a role, such as that the second digit follows the first."
        ),
    ),
    (
        "closure",
        "What the ontology cannot say by itself and is added: that each thing is one member of a family, and only one.",
    ),
    (
        "reading (shortcut)",
        (
            "A way to take the things that are shown for others which all evidence agrees with, such as each three for "
            "a five. The truth is one of the readings; every other one is a reasoning shortcut, and nothing in the "
            "evidence tells it from the truth."
        ),
    ),
    (
        "ECE of atoms",
        (
            "Expected calibration error: how far a method's confidence is from how often it is right, over ten bins of "
            "confidence. Here every latent atom counts. This is what the paper's figures are."
        ),
    ),
    (
        "ECE of the decision",
        (
            "The same for the likeliest member of a family alone, or for atoms where no family is latent. It is "
            "stricter, as most atoms are false and easily told to be."
        ),
    ),
    (
        "three views",
        (
            "A method can be asked given the evidence of the image to be judged; without it, but with the theory; or "
            "for what its network says of the image by itself."
        ),
    ),
)
"""Words of the page, and what they mean."""
