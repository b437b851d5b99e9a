(* Reads certificates and asks the checkers that were extracted from the proofs. What is written here only turns JSON
   into the types of those checkers, refuses what does not fit, and spells out what was shown. *)

open Kernel
open Json

let rec positive n = if n <= 1 then XH else if n land 1 = 0 then XO (positive (n lsr 1)) else XI (positive (n lsr 1))
let place n = positive (n + 1)                          (* what is counted from 0 here is counted from 1 there *)
let add key value map = PositiveMap.add key value map
let set_of numbers = List.fold_left (fun set n -> add (place n) () set) PositiveMap.empty numbers

(* ── Concepts, roles and axioms ── *)

type theory = { roles : string array; names : t array; table : table; axioms : row list; bottom : int option }

let unique what =
  let seen = Hashtbl.create 64 in
  fun name -> if Hashtbl.mem seen name then refuse "two %s are %s" what name else Hashtbl.add seen name ()

let node roles distinct place_of value =
  let concept = place_of - 1 in
  match items "a concept" value with
  | [Text "top"] -> NTop
  | [Text "bottom"] -> NBot
  | [Text "class"; Text name] -> distinct ("class " ^ name); NClass
  | [Text "nominal"; Text name] -> distinct ("nominal " ^ name); NNom
  | Text "data" :: (_ :: _ as spellings) ->
    List.iter (fun spelling -> distinct ("data " ^ Json.name "a spelling" spelling)) spellings; NClass
  | [Text "and"; a; b] -> NAnd (place (number "a part" concept a), place (number "a part" concept b))
  | [Text "some"; r; a] -> NSome (place (number "a role" roles r), place (number "a part" concept a))
  | [Text "self"; r] -> NSelf (place (number "a role" roles r))
  | _ -> refuse "concept %d is of no known kind" concept

let axiom concepts roles sources value =
  let concept x = place (number "a concept of an axiom" concepts x) in
  let role x = place (number "a role of an axiom" roles x) in
  let origin = function Int (-1) | Int (-2) -> () | other -> ignore (number "the source of an axiom" sources other) in
  match items "an axiom" value with
  | [Text "sub"; c; d; s] -> origin s; ASub (concept c, concept d)
  | [Text "role"; r; t; s] -> origin s; ARole (role r, role t)
  | [Text "chain"; r; t; u; s] -> origin s; AChain (role r, role t, role u)
  | [Text "range"; r; c; s] -> origin s; ARange (role r, concept c)
  | [Text "key"; c; rs; ds; s] ->
    let roles what value = List.map role (items what value) in
    origin s; AKey (concept c, roles "the roles of a key" rs, roles "the data roles of a key" ds)
  | [Text "functional"; r; s] -> origin s; AFunctional (role r)
  | [Text "universal"; r; c; s] -> origin s; AUniv (role r, concept c)
  | [Text "single"; c; s] -> origin s; ASingle (concept c)
  | [Text "cases"; c; ds; s] -> origin s; ACases (concept c, List.map concept (items "the members of a union" ds))
  | _ -> refuse "an axiom is of no known kind"

let read_theory certificate =
  let distinct_role = unique "roles" in
  let role_names = List.map (name "a role") (items "the roles" (part "roles" certificate)) in
  List.iter distinct_role role_names;
  let roles = Array.of_list role_names in
  let rows = items "the concepts" (part "concepts" certificate) in
  let distinct = unique "concepts" in
  let nodes = List.mapi (fun i row -> node (Array.length roles) distinct (i + 1) row) rows in
  let table = match build XH PositiveMap.empty nodes with
    | Some table -> table
    | None -> refuse "a concept is made of later ones" in
  let sources = List.length (items "the sources" (part "sources" certificate)) in
  let axioms = List.map (axiom (List.length rows) (Array.length roles) sources) (items "the axioms" (part "axioms" certificate)) in
  let names = Array.of_list rows in
  let bottom = ref None in
  Array.iteri (fun i row -> if row = List [Text "bottom"] && !bottom = None then bottom := Some i) names;
  { roles; names; table; axioms; bottom = !bottom }

let rec spell theory depth concept =
  if depth > 6 then "…" else
  let role = function Int r -> theory.roles.(r) | _ -> "?" in
  let inner = function Int c -> spell theory (depth + 1) c | _ -> "?" in
  match theory.names.(concept) with
  | List [Text "top"] -> "⊤"
  | List [Text "bottom"] -> "⊥"
  | List [Text "nominal"; Text name] -> "{" ^ name ^ "}"
  | List (Text _ :: Text name :: _) -> name
  | List [Text "and"; a; b] -> "(" ^ inner a ^ " ⊓ " ^ inner b ^ ")"
  | List [Text "some"; r; a] -> "∃" ^ role r ^ "." ^ inner a
  | List [Text "self"; r] -> "∃" ^ role r ^ ".Self"
  | _ -> "?"

(* ── Derivations ── *)

let rule_of = Hashtbl.create 64
let () = List.iter (fun (name, rule) -> Hashtbl.add rule_of name rule) Rule_names.rules

let fact concepts roles value =
  let concept x = place (number "a concept of a fact" concepts x) in
  let role x = place (number "a role of a fact" roles x) in
  match value with
  | List [Text "sub"; c; d] -> FSub (concept c, concept d)
  | List [Text "link"; c; r; d] -> FLink (concept c, role r, concept d)
  | List [Text "role"; r; s] -> FRole (role r, role s)
  | List [Text "nonempty"; c] -> FSome (concept c)
  | List [Text "universal"; r; c] -> FUniv (role r, concept c)
  | List [Text "single"; c] -> FSingle (concept c)
  | _ -> refuse "a fact is of no known kind"

let step theory position value =
  let rule, told, premises, axiom = match value with
    | List [Text rule; told; List premises] -> rule, told, premises, None
    | List [Text rule; told; List premises; axiom] -> rule, told, premises, Some axiom
    | _ -> refuse "step %d is no step" position in
  let s_rule = match Hashtbl.find_opt rule_of rule with Some found -> found | None -> refuse "there is no rule %S" rule in
  { s_rule; s_fact = fact (Array.length theory.names) (Array.length theory.roles) told;
    s_premises = List.map (fun premise -> place (number "a premise" position premise)) premises;
    s_axiom = Option.map (fun axiom -> place (number "the axiom of a step" largest axiom)) axiom }

let derivations theory certificate =
  let concepts = Array.length theory.names in
  let proofs = Array.of_list (items "the proofs" (part "proofs" certificate)) in
  let goals = Array.make (Array.length proofs) [] in
  let shown = List.map (fun row -> match items "what is entailed" row with
      | [c; d; p; s] ->
        let c, d = number "a side" concepts c, number "a side" concepts d in
        let proof = number "a proof" (Array.length proofs) p in
        goals.(proof) <- ((place c, place d), place (number "a step" largest s)) :: goals.(proof);
        c, d
      | _ -> refuse "expected [sub, super, proof, step]") (items "what is entailed" (part "entailed" certificate)) in
  let read i proof =
    let assumed = match part "assumed" proof with Null -> None | c -> Some (place (number "an assumption" concepts c)) in
    { assumed; steps = List.mapi (step theory) (items "the steps" (part "steps" proof)); shows = goals.(i) } in
  Array.to_list (Array.mapi read proofs), shown

let spell_pair theory sign (c, d) = spell theory 0 c ^ sign ^ spell theory 0 d

let entailment certificate =
  let theory = read_theory certificate in
  let proofs, shown = derivations theory certificate in
  if shown = [] then refuse "it shows nothing";
  if not (List.for_all (check_derivation theory.table theory.axioms) proofs) then refuse "a derivation is wrong";
  String.concat ", " (List.map (spell_pair theory " ⊑ ") shown) ^ " follows"

(* ── Saturated sets ── *)

let model theory value =
  let concepts, roles = Array.length theory.names, Array.length theory.roles in
  let rows = items "the elements" (part "elements" value) in
  let count = List.length rows in
  if count = 0 then refuse "a model has no element";
  let element x = number "an element" count x in
  let members = List.fold_left (fun (i, map) row ->
      i + 1, add (place i) (set_of (numbers "the concepts of an element" concepts row)) map) (0, PositiveMap.empty) rows |> snd in
  let leaving = List.fold_left (fun map row -> match items "a link" row with
      | [e; r; f] ->
        let source, target = place (element e), place (element f) in
        let others = Option.value (PositiveMap.find source map) ~default:PositiveMap.empty in
        let same = Option.value (PositiveMap.find target others) ~default:[] in
        add source (add target (place (number "the role of a link" roles r) :: same) others) map
      | _ -> refuse "a link has a source, a role and a target") PositiveMap.empty (items "the links" (part "links" value)) in
  let homes = List.map (fun row -> match items "a nominal" row with
      | [c; e] -> number "a nominal" concepts c, element e
      | _ -> refuse "a nominal has a concept and an element") (items "the nominals" (part "nominals" value)) in
  let above = items "the roles above each" (part "above" value) in
  let loops = ref PositiveMap.empty in
  Array.iteri (fun i row -> match row with
      | List [Text "self"; Int r] -> loops := add (place r) (place i) !loops | _ -> ()) theory.names;
  { members; leaving;
    homes = List.fold_left (fun map (c, e) -> add (place c) (place e) map) PositiveMap.empty homes;
    single = set_of (List.map snd homes);
    above = List.fold_left (fun (i, map) row -> i + 1, add (place i) (set_of (numbers "the roles above" roles row)) map)
        (0, PositiveMap.empty) above |> snd;
    ordered = set_of (numbers "the ordered roles" roles (part "ordered" value));
    everywhere = set_of (numbers "the universal roles" roles (part "universal" value));
    negative = set_of (numbers "the negative concepts" concepts (part "negative" value));
    loops = !loops;
    default = place (match homes with (_, e) :: _ -> e | [] -> 0) }

(* What the maker left out, though it may matter: the claim is then of the other axioms. *)
let el_part certificate = match certificate with
  | Object pairs ->
    (match List.assoc_opt "unused" pairs with
     | None -> ""
     | Some found ->
       let axioms = List.map (name "an axiom that is not used") (items "what is not used" found) in
       if axioms = [] then "" else " by the EL part alone")
  | _ -> ""

let non_entailment certificate =
  let theory = read_theory certificate in
  let concepts = Array.length theory.names in
  let models = Array.of_list (List.map (model theory) (items "the models" (part "models" certificate))) in
  let rows = items "what is refuted" (part "refuted" certificate) in
  if rows = [] then refuse "it refutes nothing";
  let one row = match items "what is refuted" row with
    | [c; d; m; e] ->
      let c, d = number "a side" concepts c, number "a side" concepts d in
      let model = models.(number "a model" (Array.length models) m) in
      let goal = ((place c, place d), place (number "an element" largest e)) in
      if not (check_model theory.table theory.axioms model [goal]) then refuse "the saturated set is not closed, or does not refute it";
      c, d
    | _ -> refuse "expected [sub, super, model, element]" in
  String.concat ", " (List.map (spell_pair theory " ⊑ ") (List.map one rows)) ^ " does not follow" ^ el_part certificate

let taxonomy certificate =
  let theory = read_theory certificate in
  let concepts = Array.length theory.names in
  let proofs, _ = derivations theory certificate in
  let models = List.map (model theory) (items "the models" (part "models" certificate)) in
  let bottom = match theory.bottom with Some i -> place i | None -> refuse "no concept is ⊥" in
  let distinct = unique "rows of the taxonomy" in
  let class_of c =
    let number = number "a class" concepts c in
    distinct (string_of_int number);
    (match theory.names.(number) with List [Text "class"; _] -> () | _ -> refuse "a row of the taxonomy is about no class");
    place number in
  let line row = match items "a row of the taxonomy" row with
    | [c; Null] -> Empty (class_of c)
    | [c; above; m; e] ->
      Line (class_of c, set_of (numbers "the classes above" concepts above), place (number "a model" largest m),
            place (number "an element" largest e))
    | _ -> refuse "expected [class, classes above, model, element] or [class, null]" in
  let lines = List.map line (items "the taxonomy" (part "taxonomy" certificate)) in
  if not (check_taxonomy theory.table theory.axioms proofs models bottom lines) then refuse "the hierarchy is not shown";
  Printf.sprintf "the hierarchy of %d classes is exactly as listed%s" (List.length lines) (el_part certificate)

(* ── Circuits ── *)

let circuit certificate =
  let distinct = unique "atoms" in
  let names = List.map (name "an atom") (items "the atoms" (part "atoms" certificate)) in
  List.iter distinct names;
  let others = List.map (name "an auxiliary atom") (items "the auxiliary atoms" (part "auxiliary" certificate)) in
  List.iter distinct others;
  let atoms = List.length names in
  let every = atoms + List.length others in
  let literal = function
    | Int l when l <> 0 && abs l <= every -> positive (abs l), l > 0
    | _ -> refuse "a clause has a literal of no atom" in
  let clauses_of what value = List.map (fun row -> List.map literal (items "a clause" row)) (items what value) in
  let clauses = clauses_of "the clauses" (part "clauses" certificate) in
  let away = List.map (fun row -> match items "a step of elimination" row with
      | [Int y; left] when y > atoms && y <= every -> positive y, clauses_of "what is left" left
      | _ -> refuse "expected [auxiliary atom, clauses that are left]") (items "what is eliminated" (part "eliminated" certificate)) in
  if List.length away <> List.length others then refuse "expected each auxiliary atom to be eliminated once";
  let rows = items "the decisions" (part "decisions" certificate) in
  let slots = 2 * atoms + 2 + List.length rows in
  let slot n =
    if n < atoms then SL (place n, true) else if n < 2 * atoms then SL (place (n - atoms), false)
    else if n = 2 * atoms then ST else if n = 2 * atoms + 1 then SF else SD (place (n - 2 * atoms - 2)) in
  let pair row = match numbers "two slots" slots row with [a; b] -> slot a, slot b | _ -> refuse "expected two slots" in
  let diagram = List.map (fun row -> List.map pair (items "a decision" row)) rows in
  let root = slot (number "the root" slots (part "root" certificate)) in
  let exclusive = List.map pair (items "the exclusive pairs" (part "exclusive" certificate)) in
  let variable = function
    | Int l when l <> 0 && abs l < largest ->
      (if abs l <= every then XO (positive (abs l)) else XI (positive (abs l - every))), l > 0
    | _ -> refuse "a line of the refutation has no literal where one should be" in
  let line row = match items "a line of the refutation" row with
    | [clause; hints] ->
      List.map variable (items "the clause of a line" clause), List.map place (numbers "the hints of a line" largest hints)
    | _ -> refuse "expected [clause, hints]" in
  let lines = List.map line (items "the refutation" (part "refutation" certificate)) in
  if not (check_quantified clauses diagram root exclusive lines away) then refuse "the circuit is not shown to be its clauses";
  Printf.sprintf "the circuit of %d decisions has exactly the models of the %d clauses, and counting on it is right"
    (List.length rows) (List.length clauses)

(* ── Files ── *)

let check_certificate text =
  let certificate = parse text in
  if part "format" certificate <> Text "moose-certificate" then refuse "it is no certificate of this kind";
  (match part "version" certificate with Int 1 | Int 2 -> () | _ -> refuse "expected version 1 or 2");
  match part "kind" certificate with
  | Text "entailment" -> entailment certificate
  | Text "non-entailment" -> non_entailment certificate
  | Text "taxonomy" -> taxonomy certificate
  | Text "circuit" -> circuit certificate
  | _ -> refuse "it is of no known kind"

let read_file path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  if files = [] then (prerr_endline "usage: check CERTIFICATE.json ..."; exit 2);
  let failed = ref false in
  List.iter (fun path ->
      match check_certificate (read_file path) with
      | shown -> Printf.printf "%s: accepted: %s\n" path shown
      | exception Refused reason -> failed := true; Printf.printf "%s: refused: %s\n" path reason
      | exception Stack_overflow -> failed := true; Printf.printf "%s: refused: it is too large for this stack\n" path
      | exception End_of_file -> failed := true; Printf.printf "%s: refused: it cannot be read\n" path
      | exception Sys_error reason -> failed := true; Printf.printf "%s: refused: %s\n" path reason) files;
  if !failed then exit 1
