// The page of `moose explore`. Every text of the ontology gets into the page as text: elements are made one by one, and
// nothing is ever read as markup. Answers come from the server beside it, or, in an exported page, from the data in it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const NOTHING = "http://www.w3.org/2002/07/owl#Nothing";
const DRAWN = new Set(["svg", "g", "rect", "path", "text"]);
const DRAWN_WITH = new Set(["width", "height", "viewBox", "x", "y", "rx", "fill", "stroke", "d", "font-size",
  "font-family", "font-weight", "text-anchor", "data-step"]);
const KEPT = document.getElementById("kept");
const DATA = KEPT ? JSON.parse(KEPT.textContent) : null;
const main = document.getElementById("main");
const search = document.getElementById("search");
const matches = document.getElementById("matches");
const tree = document.getElementById("tree");
let about = {};
let turn = 0;  // of the view that is shown: an answer that comes later than the next view is dropped

// ── Answers ───────────────────────────────────────────────────────────────────────────────────────────────────────

async function ask(name, parameters = {}) {
  if (DATA) return kept(name, parameters);
  const response = await fetch(`api/${name}?${new URLSearchParams(parameters)}`, {credentials: "omit"});
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || `the server answered ${response.status}`);
  return answer;
}

function kept(name, parameters) {
  if (name === "search") return searchKept(parameters.text);
  const answers = DATA[name];
  const key = Object.values(parameters).join("\n");
  const answer = answers && Object.prototype.hasOwnProperty.call(answers, key) ? answers[key] : undefined;
  if (answer === undefined) throw new Error("this page has no answer to that; run `moose explore` on the ontology");
  return answer;
}

function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}

function searchKept(text) {
  const wanted = folded(text);
  const words = wanted.split(" ");
  const ranked = [];
  for (const [entity, names] of DATA.index) {
    const fits = names.filter((name) => words.every((word) => name.includes(word)));
    if (wanted && fits.length) {
      const rank = Math.min(...fits.map((name) => name === wanted ? 0 : name.startsWith(wanted) ? 1
        : ` ${name}`.includes(` ${wanted}`) ? 2 : 3));
      ranked.push([rank, entity]);
    }
  }
  ranked.sort((one, two) => one[0] - two[0]);
  return {matches: ranked.slice(0, 50).map((pair) => pair[1]), is_cut: ranked.length > 50};
}

// ── Elements ──────────────────────────────────────────────────────────────────────────────────────────────────────

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

function address(view, parameters = {}) {
  return `#${new URLSearchParams({view, ...parameters})}`;
}

function entity(one) {
  if (one.class) return make("a", {href: address("class", {iri: one.iri}), title: one.iri, class: "name"}, one.name);
  return make("span", {title: one.iri, class: "name"}, one.name);
}

function pieces(parts) {
  return parts.map((part) => typeof part === "string" ? part
    : part.word ? make("span", {class: "word"}, part.word) : entity(part));
}

function axiomList(axioms) {
  return make("ul", {class: "axioms"}, axioms.map((axiom) => make("li", {}, pieces(axiom))));
}

function section(title, ...children) {
  return make("section", {}, make("h3", {}, title), ...children);
}

function show(own, ...children) {
  if (own === turn) main.replaceChildren(...children.flat().filter((child) => child !== null));
}

function failed(own, problem) {
  show(own, make("p", {class: "error", role: "alert"}, problem.message));
}

// ── The hierarchy ─────────────────────────────────────────────────────────────────────────────────────────────────

function treeItem(node, level) {
  const item = make("li", {role: "treeitem", tabindex: "-1", "aria-level": String(level), "aria-selected": "false",
    "aria-expanded": node.child_count ? "false" : null});
  const count = node.child_count ? make("span", {class: "count"}, String(node.child_count)) : null;
  const row = make("div", {class: "row", title: node.iri}, make("span", {class: "name"}, node.name));
  if (count) row.append(count);
  row.addEventListener("click", (event) => {
    // The triangle stands in the first rem of the row.
    if (node.child_count && event.offsetX < 20 && event.target === row) toggle(item);
    else { location.hash = address("class", {iri: node.iri}); focusItem(item); }
  });
  item.node = node;
  item.append(row);
  return item;
}

async function expand(item) {
  if (!item.node.child_count) return;
  item.setAttribute("aria-expanded", "true");
  let group = item.querySelector(":scope > [role=group]");
  if (!group) {
    group = make("ul", {role: "group"});
    item.append(group);
    item.loading = more(item, group);
  }
  group.hidden = false;
  await item.loading;  // who else opens the same branch waits for it, too
}

async function more(item, group) {
  const loaded = group.querySelectorAll(":scope > [role=treeitem]:not(.more)").length;
  const answer = await ask("children", {iri: item.node.iri, from: String(loaded)});
  group.querySelector(":scope > .more")?.remove();
  const level = Number(item.getAttribute("aria-level")) + 1;
  group.append(...answer.children.map((child) => treeItem(child, level)));
  const rest = answer.total - loaded - answer.children.length;
  if (rest > 0 && answer.children.length) {
    const button = make("li", {role: "treeitem", tabindex: "-1", class: "more", "aria-level": String(level)},
      make("div", {class: "row"}, `${rest.toLocaleString("en")} more …`));
    button.node = {child_count: 0};
    button.addEventListener("click", (event) => { event.stopPropagation(); more(item, group); });
    group.append(button);
  }
}

function collapse(item) {
  item.setAttribute("aria-expanded", "false");
  item.querySelector(":scope > [role=group]").hidden = true;
}

function toggle(item) {
  if (item.getAttribute("aria-expanded") === "true") collapse(item);
  else expand(item);
}

function focusItem(item) {
  tree.querySelectorAll("[tabindex='0']").forEach((one) => one.setAttribute("tabindex", "-1"));
  item.setAttribute("tabindex", "0");
  item.focus({preventScroll: false});
}

function visibleItems() {
  return [...tree.querySelectorAll("[role=treeitem]")].filter((item) => !item.closest("[role=group][hidden]"));
}

tree.addEventListener("keydown", async (event) => {
  const item = event.target.closest("[role=treeitem]");
  const items = visibleItems();
  const place = items.indexOf(item);
  const isOpen = item.getAttribute("aria-expanded") === "true";
  const above = item.parentElement.closest("[role=treeitem]");
  const steps = {ArrowDown: items[place + 1], ArrowUp: items[place - 1], Home: items[0], End: items.at(-1)};
  if (event.key in steps) { if (steps[event.key]) focusItem(steps[event.key]); }
  else if (event.key === "ArrowRight") { if (isOpen) focusItem(items[place + 1]); else await expand(item); }
  else if (event.key === "ArrowLeft") { if (isOpen) collapse(item); else if (above) focusItem(above); }
  else if (event.key === "Enter" || event.key === " ") item.querySelector(":scope > .row").click();
  else return;
  event.preventDefault();
});

async function reveal(own, iri) {
  const {path} = await ask("path", {iri});
  let item = tree.firstElementChild;
  for (const node of path.slice(1)) {
    await expand(item);
    const group = item.querySelector(":scope > [role=group]");
    let next = null;
    for (let tries = 0; tries < 5 && !next; tries += 1) {
      next = [...group.children].find((child) => child.node.iri === node.iri) || null;
      if (!next && !group.querySelector(":scope > .more")) return;
      if (!next) await more(item, group);
    }
    if (!next) return;
    item = next;
  }
  if (own !== turn) return;
  tree.querySelectorAll("[aria-selected=true]").forEach((one) => one.setAttribute("aria-selected", "false"));
  tree.querySelectorAll("[tabindex='0']").forEach((one) => one.setAttribute("tabindex", "-1"));
  item.setAttribute("aria-selected", "true");
  item.setAttribute("tabindex", "0");
  item.querySelector(".row").scrollIntoView({block: "nearest"});
}

// ── Search ────────────────────────────────────────────────────────────────────────────────────────────────────────

let typed = 0;

function closeMatches() {
  matches.hidden = true;
  search.setAttribute("aria-expanded", "false");
  search.removeAttribute("aria-activedescendant");
}

function choose(position) {
  const options = [...matches.querySelectorAll("[role=option]")];
  if (!options.length) return;
  const wanted = options[(position + options.length) % options.length];
  options.forEach((option) => option.setAttribute("aria-selected", String(option === wanted)));
  search.setAttribute("aria-activedescendant", wanted.id);
  wanted.scrollIntoView({block: "nearest"});
}

function open(option) {
  location.hash = address("class", {iri: option.iri});
  closeMatches();
  main.focus();
}

search.addEventListener("input", async () => {
  const own = typed += 1;
  if (!search.value.trim()) { closeMatches(); return; }
  try {
    const answer = await ask("search", {text: search.value});
    if (own !== typed) return;
    matches.replaceChildren(...answer.matches.map((one, number) => {
      const option = make("li", {role: "option", id: `match-${number}`, "aria-selected": "false", title: one.iri},
        one.name);
      option.iri = one.iri;
      option.addEventListener("click", () => open(option));
      return option;
    }));
    if (!answer.matches.length) {
      const none = answer.is_reading ? "no class has such a label; synonyms are still being read, try again in a while"
        : "no class has such a name";
      matches.append(make("li", {class: "faint"}, none));
    }
    if (answer.is_cut) matches.append(make("li", {class: "faint"}, "… and more: type more letters"));
    matches.hidden = false;
    search.setAttribute("aria-expanded", "true");
    choose(0);
  } catch (problem) {
    matches.replaceChildren(make("li", {class: "error"}, problem.message));
    matches.hidden = false;
  }
});

search.addEventListener("keydown", (event) => {
  const options = [...matches.querySelectorAll("[role=option]")];
  const place = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown") choose(place + 1);
  else if (event.key === "ArrowUp") choose(place - 1);
  else if (event.key === "Enter" && options[place]) open(options[place]);
  else if (event.key === "Escape") closeMatches();
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});

// ── A class ───────────────────────────────────────────────────────────────────────────────────────────────────────

async function showClass(own, parameters) {
  const iri = parameters.get("iri") || about.root;
  const one = await ask("class", {iri});
  const place = one.parents.map((parent) => make("li", {}, entity(parent), " ",
    make("span", {class: "faint"}, parent.is_asserted ? "asserted" : "inferred"), " ", whyLink(one.iri, parent)));
  const notes = make("section");
  show(own,
    make("h2", {}, one.label || one.name),
    make("p", {class: "faint name"}, one.label ? `${one.name} · ${one.iri}` : one.iri),
    one.is_satisfiable ? null : make("p", {class: "bad"}, "This class can have no element. ",
      one.iri === NOTHING ? null : whyLink(one.iri, {iri: NOTHING, name: "owl:Nothing"})),
    notes,
    one.equivalents.length ? section("Equivalent classes", make("ul", {}, one.equivalents.map((other) => make("li", {},
      entity(other), " ", whyLink(one.iri, other))))) : null,
    section("Directly above (inferred)", place.length ? make("ul", {}, place)
      : make("p", {class: "faint"}, "no class is above it")),
    section(`Axioms of this class (${one.axioms.length.toLocaleString("en")})`, axiomList(one.axioms)),
    one.use_count ? section(`Used in (${one.use_count.toLocaleString("en")})`, axiomList(one.uses),
      one.use_count > one.uses.length ? make("p", {class: "faint"}, `the first ${one.uses.length} are shown`) : null)
      : null);
  if (own === turn) document.title = `${one.label || one.name} – Moose explorer`;
  reveal(own, iri).catch(() => {});
  const told = (await ask("annotations", {iri})).annotations;
  if (told.length && own === turn) notes.append(make("h3", {}, "Annotations"),
    make("dl", {}, told.flatMap((row) => [make("dt", {}, row.property + (row.language ? ` @${row.language}` : "")),
      make("dd", {class: "value"}, row.value)])));
}

function whyLink(sub, sup) {
  return make("a", {href: address("why", {sub, sup: sup.iri}), "aria-label": `why is it below ${sup.name}?`}, "why?");
}

// ── Why ───────────────────────────────────────────────────────────────────────────────────────────────────────────

async function showWhy(own, parameters) {
  const sub = parameters.get("sub");
  const sup = parameters.get("sup");
  const answer = await ask("why", {sub, sup});
  const sets = make("div");
  const button = make("button", {type: "button", id: "sets", on: {click: () => showSets(sets, sub, sup)}},
    "Justifications and repairs");
  show(own, make("h2", {}, answer.sub.name, " ⊑ ", answer.sup.name),
    make("p", {}, entity(answer.sub), " is below ", entity(answer.sup),
      answer.proofs ? " because:" : answer.left_out ? `. ${answer.left_out}` : ": not found."),
    (answer.proofs || []).flatMap(proof), answer.proofs ? make("div", {class: "controls"}, button) : null, sets);
}

function drawn([tag, attributes, text, children]) {
  if (!DRAWN.has(tag)) throw new Error("the picture has an element that is not drawn here");
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (DRAWN_WITH.has(name)) element.setAttribute(name, value);
  if (tag === "text") element.textContent = text;
  element.append(...children.map(drawn));
  return element;
}

function proof(one) {
  const details = make("div", {class: "set", "aria-live": "polite"});
  const steps = new Map(one.steps.map((step) => [step.number, step]));
  const users = (number) => one.steps.filter((step) => step.premises.includes(number)).map((step) => step.number);
  const boxes = new Map();
  const chooseStep = (number) => {
    const step = steps.get(number);
    boxes.forEach((box, other) => {
      box.classList.toggle("chosen", other === number);
      box.classList.toggle("used", step.premises.includes(other));
    });
    details.replaceChildren(make("p", {}, make("strong", {}, pieces(step.fact)), " ",
      make("span", {class: "faint"}, `by rule ${step.rule}`)), axiomList(step.axioms),
    make("ul", {}, step.premises.map((premise) => make("li", {}, make("button", {type: "button",
      on: {click: () => { chooseStep(premise); boxes.get(premise)?.focus(); }}}, "from"), " ",
    pieces(steps.get(premise).fact)))));
  };
  const parts = one.assumption ? [make("p", {}, "where ", one.assumption, " has an element")] : [];
  if (one.picture) {
    const picture = drawn(one.picture);
    const size = [picture.width.baseVal.value, picture.height.baseVal.value];
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", "Proof: premises above what they show");
    picture.querySelectorAll("[data-step]").forEach((box) => {
      const number = Number(box.getAttribute("data-step"));
      boxes.set(number, box);
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "button");
      box.classList.toggle("goal", steps.get(number).is_goal);
      box.addEventListener("click", () => chooseStep(number));
      box.addEventListener("keydown", (event) => {
        const next = {ArrowUp: steps.get(number).premises[0], ArrowDown: users(number)[0]}[event.key];
        if (event.key === "Enter" || event.key === " ") chooseStep(number);
        else if (next !== undefined) { boxes.get(next).focus(); chooseStep(next); }
        else return;
        event.preventDefault();
      });
    });
    const frame = make("div", {class: "proof", tabindex: "0", role: "region", "aria-label": "Picture of the proof"});
    frame.append(picture);
    let scale = 1;
    const zoom = (factor) => {
      scale = factor ? Math.min(4, Math.max(0.15, scale * factor)) : Math.min(1, (frame.clientWidth - 4) / size[0]);
      picture.setAttribute("width", String(size[0] * scale));
      picture.setAttribute("height", String(size[1] * scale));
    };
    const control = (text, label, factor) => make("button", {type: "button", "aria-label": label,
      on: {click: () => zoom(factor)}}, text);
    parts.push(make("div", {class: "controls"}, control("−", "smaller", 0.8), control("+", "larger", 1.25),
      control("fit", "fit the width", 0), make("span", {class: "faint"}, "choose a box to see what it uses")), frame);
    requestAnimationFrame(() => zoom(0));
  } else {
    parts.push(make("ol", {}, one.steps.map((step) => make("li", {}, make("button", {type: "button",
      on: {click: () => chooseStep(step.number)}}, step.rule), " ", pieces(step.fact)))));
  }
  chooseStep(one.steps.find((step) => step.is_goal).number);
  return [...parts, details];
}

async function showSets(place, sub, sup) {
  place.replaceChildren(make("p", {class: "faint"}, "…"));
  try {
    const answer = await ask("sets", {sub, sup});
    const group = (title, sets) => section(title, sets.map((axioms) => make("div", {class: "set"}, axiomList(axioms))));
    place.replaceChildren(group("Justifications: each set suffices", answer.justifications),
      group("Repairs: leave out all of one set", answer.repairs));
  } catch (problem) {
    place.replaceChildren(make("p", {class: "error"}, problem.message));
  }
}

// ── DL query ──────────────────────────────────────────────────────────────────────────────────────────────────────

function asking(label, value, view, name) {
  const input = make("textarea", {id: "question", spellcheck: "false"});
  input.value = value;
  const go = () => { location.hash = address(view, {[name]: input.value.trim()}); };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); go(); }
  });
  return make("div", {}, make("label", {for: "question"}, label), input,
    make("div", {class: "controls"}, make("button", {type: "button", on: {click: go}}, "Ask"),
      make("span", {class: "faint"}, "Enter asks")));
}

async function showQuery(own, parameters) {
  const text = parameters.get("text") || "";
  const form = asking("Class expression, in Manchester or functional syntax", text, "query", "text");
  const result = make("div");
  show(own, make("h2", {}, "DL query"), form, result);
  if (!text) { form.querySelector("textarea").focus(); return; }
  result.append(make("p", {class: "faint"}, "…"));
  try {
    const answer = await ask("query", {text});
    const titles = {equivalent: "Equivalent classes", parents: "Directly above", children: "Directly below",
      descendants: "All below", ancestors: "All above", instances: "Instances"};
    result.replaceChildren(...(answer.is_satisfiable ? [] : [make("p", {class: "bad"}, "This can have no element.")]),
      ...Object.entries(titles).map(([key, title]) => {
        const {names, total} = answer.relations[key];
        const rest = total > names.length ? make("p", {class: "faint"}, `the first ${names.length} are shown`) : null;
        return section(`${title} (${total.toLocaleString("en")})`,
          make("ul", {class: "columns-of-names"}, names.map((one) => make("li", {}, entity(one)))), rest);
      }));
  } catch (problem) {
    result.replaceChildren(make("p", {class: "error", role: "alert"}, problem.message));
  }
}

// ── Unsatisfiable classes ─────────────────────────────────────────────────────────────────────────────────────────

async function showUnsatisfiable(own) {
  const answer = await ask("unsatisfiable");
  const bottom = {iri: NOTHING, name: "owl:Nothing"};
  const rows = (isRoot) => answer.classes.filter((one) => one.is_root === isRoot).map((one) => make("li", {},
    entity(one), " ", whyLink(one.iri, bottom), one.roots.length
      ? make("span", {class: "faint"}, " because of ", one.roots.flatMap((source, number) =>
        [number ? ", " : "", entity(source)])) : null));
  show(own, make("h2", {}, "Unsatisfiable classes"),
    answer.is_consistent ? null : make("p", {class: "bad"}, "The ontology is inconsistent: every class is empty. ",
      whyLink(about.root, bottom)),
    answer.is_consistent && !answer.classes.length ? make("p", {}, "Every class can have an element.") : null,
    rows(true).length ? section("Roots: mend these first", make("ul", {}, rows(true))) : null,
    rows(false).length ? section("Derived: empty only because of others", make("ul", {}, rows(false))) : null);
}

// ── Probability ───────────────────────────────────────────────────────────────────────────────────────────────────

async function showProbability(own, parameters) {
  const goal = parameters.get("goal") || "";
  const form = asking("Goal, such as A SubClassOf B, or: unsatisfiable A", goal, "probability", "goal");
  const result = make("div");
  show(own, make("h2", {}, "How likely is it?"), form, result);
  if (!goal) { form.querySelector("textarea").focus(); return; }
  result.append(make("p", {class: "faint"}, "…"));
  try {
    const answer = await ask("probability", {goal});
    result.replaceChildren(...sliders(goal, answer));
  } catch (problem) {
    result.replaceChildren(make("p", {class: "error", role: "alert"}, problem.message));
  }
}

function sliders(goal, answer) {
  const number = make("output", {class: "answer", id: "probability"});
  const problem = make("p", {class: "error"});
  const moved = {};
  let waiting = false;
  let isAsking = false;
  const tell = (found) => {
    number.textContent = `probability ${found.is_exact ? "" : "≥ "}${percent(found.probability)}`;
    for (const one of found.axioms) slopes.get(one.position).textContent = `slope ${one.slope.toFixed(3)}`;
  };
  const follow = async () => {
    waiting = true;
    if (isAsking) return;
    isAsking = true;
    while (waiting) {
      waiting = false;
      try { tell(await ask("probability", {goal, ...moved})); problem.textContent = ""; }
      catch (error) { problem.textContent = error.message; }
    }
    isAsking = false;
  };
  const slopes = new Map(answer.axioms.map((one) => [one.position, make("span", {class: "faint"})]));
  const rows = answer.axioms.map((one) => {
    const shown = make("output", {}, percent(one.probability));
    const input = make("input", {type: "range", min: "0", max: "1", step: "0.01", id: `axiom-${one.position}`});
    input.value = String(one.probability);
    input.addEventListener("input", () => {
      moved[`p${one.position}`] = Number(input.value).toFixed(2);
      shown.textContent = percent(Number(input.value));
      follow();
    });
    return make("div", {class: "slider"}, make("label", {class: "axiom", for: `axiom-${one.position}`},
      pieces(one.axiom), " ", slopes.get(one.position)), input, shown);
  });
  tell(answer);
  return [number, problem, rows.length ? make("div", {class: "sliders"}, rows)
    : make("p", {class: "faint"}, "no axiom makes a difference"),
  section("Justifications", answer.justifications.map((axioms) => make("div", {class: "set"}, axiomList(axioms))))];
}

function percent(value) {
  return `${(100 * value).toFixed(value > 0.999 && value < 1 || value < 0.001 && value > 0 ? 4 : 1)} %`;
}

// ── Shortcuts of a task ───────────────────────────────────────────────────────────────────────────────────────────

async function showShortcuts(own) {
  show(own, make("h2", {}, "Shortcuts of the task"), make("p", {class: "faint"}, "counting …"));
  const answer = await ask("shortcuts");
  const confused = Object.entries(answer.confused);
  show(own, make("h2", {}, "Shortcuts of the task"), make("p", {}, answer.verdict),
    make("dl", {}, make("dt", {}, "maps that agree with everything"), make("dd", {}, answer.maps),
      make("dt", {}, "of these wrong"), make("dd", {}, answer.shortcuts),
      make("dt", {}, "identifiable"), make("dd", {}, answer.identifiable.join(", ") || "nothing")),
    confused.length ? section("Confused", make("ul", {}, confused.map(([value, others]) =>
      make("li", {}, `${value}: ${others.join(", ")}`)))) : null,
    section("Nearest to the truth", make("ul", {}, answer.nearest.map((one) => make("li", {}, one.text)))));
}

// ── Views ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const VIEWS = {class: showClass, why: showWhy, query: showQuery, unsatisfiable: showUnsatisfiable,
  probability: showProbability, shortcuts: showShortcuts};

let followed = null;  // the address of the view that is shown, or on its way

async function follow() {
  // A click before the first view is followed by start(), and its event may still be waiting: once is enough.
  if (location.hash === followed) return;
  followed = location.hash;
  const parameters = new URLSearchParams(location.hash.slice(1));
  const view = Object.hasOwn(VIEWS, parameters.get("view")) ? parameters.get("view") : "class";
  const own = turn += 1;
  document.querySelectorAll("nav a").forEach((link) => {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  main.setAttribute("aria-busy", "true");
  try { await VIEWS[view](own, parameters); }
  catch (problem) { failed(own, problem); }
  if (own === turn) main.removeAttribute("aria-busy");
}

async function start() {
  try {
    about = await ask("about");
    document.getElementById("title").textContent = about.iri || "Moose explorer";
    const note = about.unused ? `; ${about.unused} axioms are outside OWL 2 EL and not used whole` : "";
    document.getElementById("about").textContent = `${about.classes.toLocaleString("en")} classes, `
      + `${about.axioms.toLocaleString("en")} axioms, ${about.unsatisfiable.toLocaleString("en")} unsatisfiable${note}`;
    document.querySelector("[data-view=shortcuts]").hidden = !about.has_task;
    for (const name of DATA ? ["query", "probability"] : []) document.querySelector(`[data-view=${name}]`).hidden = true;
    if (matchMedia("(max-width: 46rem)").matches) document.getElementById("hierarchy").open = false;
    const [root] = (await ask("path", {iri: about.root})).path;
    tree.append(treeItem(root, 1));
    tree.firstElementChild.setAttribute("tabindex", "0");
    await expand(tree.firstElementChild);
  } catch (problem) { failed(turn, problem); return; }
  window.addEventListener("hashchange", follow);
  await follow();
}

start();
