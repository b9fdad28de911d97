#!/bin/sh
# doc/collcost-models.schema.json, which editors use to complete and check files of models, is made of what
# the readers of models accept; BLESS=1 writes it anew. It takes all models of the library and of the
# examples, and refuses each of their keys where it is misspelt.
set -u
. "$(dirname "$0")/sandbox.sh"

schema=$srcdir/doc/collcost-models.schema.json
if ! python3 -c 'import yaml' 2>/dev/null; then
    plan "python3 and its module yaml are not there"
    exit
fi
tests/model-facts "$srcdir/models" "$srcdir"/examples/*.yaml >"$work/facts" 2>"$work/log"
result $? "tests/model-facts reads all models"
comment "$work/log"
python3 "$srcdir/build-aux/write-model-schema" "$srcdir" <"$work/facts" >"$work/schema.json"
test -z "${BLESS-}" || ! test -s "$work/schema.json" || cp "$work/schema.json" "$schema"
cmp -s "$work/schema.json" "$schema"
result $? "doc/collcost-models.schema.json is current"
diff "$schema" "$work/schema.json" | head -n 20 | comment

cat >"$work/check.py" <<'END'
import copy, glob, json, sys, yaml

schema = json.load(open(sys.argv[1]))
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
seen = {}  # (definition, key): how to find it in a model


def fits(value, rule, path=(), model=None):
    if "$ref" in rule:
        name = rule["$ref"].split("/")[-1]
        rule = schema["$defs"][name]
        if model is not None and isinstance(value, dict) and fits(value, rule):
            for key in value:
                if key in rule.get("properties", {}):
                    seen.setdefault((name, key), (model, path))
    if "if" in rule and not fits(value, rule["then" if fits(value, rule["if"]) else "else"], path, model):
        return False
    if "anyOf" in rule and not any([fits(value, one, path, model) for one in rule["anyOf"]]):
        return False
    if "enum" in rule and value not in rule["enum"]:
        return False
    types = rule.get("type", ["object", "array", "string"])
    if {dict: "object", list: "array", str: "string"}[type(value)] not in types:
        return False
    if isinstance(value, dict):
        known, others = rule.get("properties", {}), rule.get("additionalProperties", {})
        return all(key in value for key in rule.get("required", [])) and all(
            fits(item, known[key], path + (key,), model) if key in known else
            others is not False and fits(item, others, path + (key,), model)
            for key, item in value.items())
    if isinstance(value, list) and "items" in rule:
        return all(fits(item, rule["items"], path + (i,), model) for i, item in enumerate(value))
    return True


models = [model for path in sys.argv[2:] for model in yaml.load_all(open(path), Loader) if model]
wrong = [model for model in models if not fits(model, schema, (), model)]
taken = []
for (name, key), (model, path) in seen.items():
    model = copy.deepcopy(model)
    place = model
    for step in path:
        place = place[step]
    place[key[:1] + "q" + key[1:]] = place.pop(key)
    if fits(model, schema):
        taken.append((name, key))
print(len(models), "models,", len(seen), "keys")
print("refused:", wrong[:3])
print("taken:", taken)
sys.exit(bool(wrong) + 2 * (bool(taken) or len(seen) < 50 or len(models) < 300))
END
find "$srcdir/models" "$srcdir/examples" -name '*.yaml' ! -name proofs.yaml | sort | xargs python3 "$work/check.py" "$schema" >"$work/log" 2>&1
status=$?
test $((status & 1)) -eq 0
result $? "it takes all models"
test $((status & 2)) -eq 0
result $? "it refuses each misspelt key"
comment "$work/log"
plan
