"""Pictures of pizzas: in come toppings and a random generator, out come pixels.

Start with `drawing.py`; `shapes.py` is the table of what a piece of each topping looks like.
"""
