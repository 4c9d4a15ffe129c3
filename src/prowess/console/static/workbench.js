// The workbench in a browser: JSON formatted and two documents compared, without a word to any server.
// The first half is console/workbench_json.py and console/workbench_diff.py once more, function by function;
// a test runs both on the same documents. The second half puts it on the page. No text of others becomes markup.
"use strict";

(() => {
  const DEEPEST = 200;
  const MOST_REMARKS = 20;
  const MOST = 100;
  const EXCERPT = 160;
  const STEP = 80;
  const POINTER_STEP = 200;
  const LONGEST_EXPONENT = 15;
  const IDENTITIES = ["id", "uri", "uriTemplate", "name"];
  const CLOSING = { "{": "}", "[": "]" };
  const BOM = "\ufeff";
  const [VALUE, ITEM_OR_END, KEY_OR_END, KEY, COLON, MORE_OR_END, AFTER] = [0, 1, 2, 3, 4, 5, 6];
  const UNSEEN =
    /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
  const HALF = /\\u[dD][89a-fA-F]/;

  // -- JSON as it is written

  const isDigit = (code) => code >= 48 && code <= 57;
  const isHex = (code) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
  const isHigh = (code) => code >= 0xd800 && code <= 0xdbff;
  const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;

  // The end of a string's good part, and whether that is its closing quotation mark.
  function scanString(text, begin) {
    for (let at = begin + 1; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code === 34) return [at + 1, true];
      if (code < 32 || isLow(code)) return [at, false];
      if (isHigh(code)) {
        if (!isLow(text.charCodeAt(at + 1))) return [at, false];
        at += 2;
      } else if (code === 92) {
        const next = text[at + 1];
        if (next === "u") {
          for (let step = 2; step < 6; step += 1) if (!isHex(text.charCodeAt(at + step))) return [at, false];
          at += 6;
        } else if (next !== undefined && '"\\/bfnrt'.includes(next)) at += 2;
        else return [at, false];
      } else at += 1;
    }
    return [text.length, false];
  }

  const scanDigits = (text, at) => {
    while (isDigit(text.charCodeAt(at))) at += 1;
    return at;
  };

  // The end of a number that begins here, or -1.
  function scanNumber(text, begin) {
    let at = text[begin] === "-" ? begin + 1 : begin;
    if (!isDigit(text.charCodeAt(at))) return -1;
    at = text[at] === "0" ? at + 1 : scanDigits(text, at);
    if (text[at] === "." && isDigit(text.charCodeAt(at + 1))) at = scanDigits(text, at + 1);
    if (text[at] === "e" || text[at] === "E") {
      const sign = text[at + 1] === "+" || text[at + 1] === "-" ? at + 2 : at + 1;
      if (isDigit(text.charCodeAt(sign))) at = scanDigits(text, sign);
    }
    return at;
  }

  const fault = (code, at) => ({ code, at });

  // The document in a text: a tree of its tokens, or a fault.
  function parse(text) {
    const open = [];
    let at = text.startsWith(BOM) ? 1 : 0;
    let state = VALUE;
    let named = ["", 0];
    let root = null;
    let last = "";

    const put = (node) => {
      if (!open.length) {
        root = node;
        return;
      }
      const above = open[open.length - 1];
      const [name, place] = above.kind === "object" ? named : ["", node.at];
      above.members.push({ name, at: place, value: node });
    };
    const unexpected = (place) => {
      const sign = text[place];
      if (sign === undefined) return fault(root ? "ends-early" : "empty", place);
      if (sign === "/" || sign === "#") return fault("comment", place);
      const closing = sign === "}" || sign === "]";
      if (closing && last === "," && (state === VALUE || state === KEY)) return fault("trailing-comma", place);
      if (state === MORE_OR_END) return fault(closing ? "mismatched" : "comma-expected", place);
      if (state === COLON) return fault("colon-expected", place);
      if (state === AFTER) return fault("after-end", place);
      return fault(state === KEY || state === KEY_OR_END ? "key-expected" : "value-expected", place);
    };
    const scalar = (kind, end) => {
      put({ kind, at, text: text.slice(at, end), members: null, same: 0 });
      state = open.length ? MORE_OR_END : AFTER;
      last = "";
      at = end;
    };

    for (;;) {
      let code = text.charCodeAt(at);
      while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt((at += 1));
      const sign = text[at];
      const takesValue = state === VALUE || state === ITEM_OR_END;
      if (sign === undefined) return state === AFTER ? root : unexpected(at);
      if ((sign === "{" || sign === "[") && takesValue) {
        if (open.length === DEEPEST) return fault("too-deep", at);
        const node = { kind: sign === "{" ? "object" : "array", at, text: sign, members: [], same: 0 };
        put(node);
        open.push(node);
        state = sign === "{" ? KEY_OR_END : ITEM_OR_END;
      } else if ((sign === "}" || sign === "]") && (state === ITEM_OR_END || state === KEY_OR_END || state === MORE_OR_END)) {
        if (!open.length || CLOSING[open[open.length - 1].text] !== sign) return unexpected(at);
        open.pop();
        state = open.length ? MORE_OR_END : AFTER;
      } else if (sign === "," && state === MORE_OR_END) {
        state = open[open.length - 1].kind === "object" ? KEY : VALUE;
      } else if (sign === ":" && state === COLON) {
        state = VALUE;
      } else if (sign === '"' && (takesValue || state === KEY || state === KEY_OR_END)) {
        const [end, whole] = scanString(text, at);
        if (!whole) return brokenString(text, at, end);
        if (takesValue) scalar("string", end);
        else {
          named = [text.slice(at, end), at];
          state = COLON;
          last = "";
          at = end;
        }
        continue;
      } else {
        if (!takesValue) return unexpected(at);
        const word = ["true", "false", "null"].find((each) => text.startsWith(each, at));
        const end = word ? at + word.length : scanNumber(text, at);
        if (end < 0) return unexpected(at);
        scalar(word ? "word" : "number", end);
        continue;
      }
      last = sign;
      at += 1;
    }
  }

  function brokenString(text, at, end) {
    if (end >= text.length) return fault("string-unended", at);
    if (text[end] === "\\") return fault("bad-escape", end);
    return fault(text.charCodeAt(end) < 32 ? "control-in-string" : "half-pair", end);
  }

  const decoded = (token) => (token.includes("\\") ? JSON.parse(token) : token.slice(1, -1));

  // Line, column in code points, and the whole line.
  function spot(text, at) {
    const begin = at > 0 ? text.lastIndexOf("\n", at - 1) + 1 : 0;
    const end = text.indexOf("\n", at);
    let line = 1;
    for (let each = text.indexOf("\n"); each >= 0 && each < begin; each = text.indexOf("\n", each + 1)) line += 1;
    const written = text.slice(begin, end >= 0 ? end : text.length);
    return { line, column: points(text.slice(begin, at)) + 1, written: written.endsWith("\r") ? written.slice(0, -1) : written };
  }

  function points(text) {
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  }

  // Texts in the order of their code points, which is not that of their halves.
  function byPoint(one, other) {
    const most = Math.min(one.length, other.length);
    let at = 0;
    while (at < most && one[at] === other[at]) at += 1;
    if (at === most) return one.length - other.length;
    if (at > 0 && isHigh(one.charCodeAt(at - 1))) {
      const difference = one.codePointAt(at - 1) - other.codePointAt(at - 1);
      if (difference) return difference;
    }
    return one.codePointAt(at) - other.codePointAt(at);
  }

  function format(text, indent, sort) {
    const root = parse(text);
    if (root.code) return root;
    const pieces = [];
    write(root, indent ? "\n" : "", " ".repeat(indent), sort, pieces);
    return pieces.join("") + "\n";
  }

  function write(node, margin, step, sort, pieces) {
    if (!node.members || !node.members.length) {
      pieces.push(node.members ? node.text + CLOSING[node.text] : node.text);
      return;
    }
    let members = node.members;
    if (sort && node.kind === "object") {
      members = members.map((each) => [decoded(each.name), each]);
      members = members.sort((one, other) => byPoint(one[0], other[0])).map((each) => each[1]);
    }
    const inner = margin + step;
    let before = node.text;
    for (const each of members) {
      pieces.push(before, inner);
      if (each.name) pieces.push(each.name, margin ? ": " : ":");
      write(each.value, inner, step, sort, pieces);
      before = ",";
    }
    pieces.push(margin, CLOSING[node.text]);
  }

  // At most so many code points, and a mark where there was more.
  function cutAt(text, most) {
    if (text.length <= most) return text;
    const found = [];
    for (const each of text) {
      if (found.length === most) return found.join("") + "…";
      found.push(each);
    }
    return text;
  }

  function compact(node, most) {
    const pieces = [];
    compactPieces(node, pieces, 2 * most); // a code point has one or two halves
    return cutAt(pieces.join(""), most);
  }

  function compactPieces(node, pieces, left) {
    const add = (piece) => {
      pieces.push(piece.slice(0, Math.max(0, left) + 2));
      left -= piece.length;
    };
    if (!node.members) {
      add(node.text);
      return left;
    }
    let before = node.text;
    for (const each of node.members) {
      add(before);
      if (each.name) {
        add(each.name);
        add(": ");
      }
      left = compactPieces(each.value, pieces, left);
      if (left < 0) return left;
      before = ", ";
    }
    add(node.members.length ? CLOSING[node.text] : node.text + CLOSING[node.text]);
    return left;
  }

  function remarks(text, root) {
    const begin = text.startsWith(BOM) ? 1 : 0;
    const found = begin ? [{ code: "byte-order-mark", at: 0, what: "" }] : [];
    let unseen = 0;
    UNSEEN.lastIndex = begin;
    for (let each = UNSEEN.exec(text); each; each = UNSEEN.exec(text)) {
      unseen += 1;
      if (unseen <= MOST_REMARKS) found.push({ code: "unseen", at: each.index, what: point(each[0]) });
    }
    const inside = [];
    remark(root, HALF.test(text), inside);
    const every = found.concat(inside).sort((one, other) => one.at - other.at);
    return [every.slice(0, MOST_REMARKS), inside.length + begin + unseen];
  }

  const point = (sign) => "U+" + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

  function remark(node, halves, found) {
    if (node.kind === "object") {
      const seen = new Set();
      for (const each of node.members) {
        if (halves) half(each.name, each.at, found);
        const name = decoded(each.name);
        if (seen.has(name)) found.push({ code: "duplicate", at: each.at, what: name });
        seen.add(name);
      }
    } else if (halves && node.kind === "string") half(node.text, node.at, found);
    for (const each of node.members || []) {
      if (halves || (each.value.members && each.value.members.length)) remark(each.value, halves, found);
    }
  }

  function half(token, at, found) {
    if (HALF.test(token) && hasHalf(decoded(token))) found.push({ code: "half-escape", at, what: "" });
  }

  function hasHalf(text) {
    for (const each of text) if (each.length === 1 && (isHigh(each.charCodeAt(0)) || isLow(each.charCodeAt(0)))) return true;
    return false;
  }

  // -- two documents

  function differences(old, fresh) {
    const known = new Map();
    numberSame(old, known);
    numberSame(fresh, known);
    const found = { told: [], counts: { added: 0, removed: 0, changed: 0, reordered: 0 } };
    compare(old, fresh, "", found);
    return found;
  }

  function add(found, what, path, old, fresh) {
    found.counts[what] += 1;
    if (found.told.length >= MOST) return;
    found.told.push({ what, path, old: old ? compact(old, EXCERPT) : "", new: fresh ? compact(fresh, EXCERPT) : "" });
  }

  function numberSame(node, known) {
    let key;
    if (!node.members) {
      if (node.kind === "string") key = "s" + decoded(node.text);
      else key = (node.kind === "number" ? "n" : "w") + (node.kind === "number" ? number(node.text) : node.text);
    } else {
      for (const each of node.members) numberSame(each.value, known);
      if (node.kind === "array") key = "a" + node.members.map((each) => each.value.same).join();
      else key = "o" + [...namedOf(node)].map(([each, [, , value]]) => each.length + ":" + each + "=" + value.same).sort().join();
    }
    if (!known.has(key)) known.set(key, known.size + 1);
    node.same = known.get(key);
  }

  function number(text) {
    const [mantissa, exponent = ""] = text.toLowerCase().split("e");
    const [whole, part = ""] = mantissa.replace("-", "").split(".");
    const digits = exponent.replace(/^[+-]/, "").replace(/^0+/, "");
    const stripped = withoutLastZeros(whole + part);
    const kept = stripped.replace(/^0+/, "");
    if (!kept) return "0";
    if (digits.length > LONGEST_EXPONENT) return text;
    const power = Number(digits) * (exponent.startsWith("-") ? -1 : 1) + whole.length - stripped.length;
    return (mantissa.startsWith("-") ? "-" : "") + kept + "e" + power;
  }

  function withoutLastZeros(digits) {
    let end = digits.length;
    while (end && digits[end - 1] === "0") end -= 1;
    return digits.slice(0, end);
  }

  // Members by their name and which of several with it each is; each as [name, nth, value].
  function namedOf(node) {
    const found = new Map();
    const counts = new Map();
    for (const each of node.members) {
      const name = decoded(each.name);
      const nth = (counts.get(name) || 0) + 1;
      counts.set(name, nth);
      found.set(nth + "/" + name, [name, nth, each.value]);
    }
    return found;
  }

  function compare(old, fresh, path, found) {
    if (old.same === fresh.same) return;
    if (old.kind === "object" && fresh.kind === "object") pairs(namedOf(old), namedOf(fresh), path, found, memberStep);
    else if (old.kind === "array" && fresh.kind === "array") arrays(old, fresh, path, found);
    else add(found, "changed", path, old, fresh);
  }

  function pairs(old, fresh, path, found, step) {
    for (const [key, each] of old) {
      if (fresh.has(key)) compare(each[2], fresh.get(key)[2], path + step(each), found);
      else add(found, "removed", path + step(each), each[2], null);
    }
    for (const [key, each] of fresh) if (!old.has(key)) add(found, "added", path + step(each), null, each[2]);
  }

  const cut = (text) => cutAt(text, STEP);

  const memberStep = ([name, nth]) =>
    "/" + cut(name.replaceAll("~", "~0").replaceAll("/", "~1")) + (nth > 1 ? `(${nth})` : "");

  function arrays(old, fresh, path, found) {
    const before = old.members.map((each) => each.value);
    const after = fresh.members.map((each) => each.value);
    const by = before.length && after.length ? IDENTITIES.find((each) => identified(before, each) && identified(after, each)) : undefined;
    if (by === undefined) {
      byPlace(before, after, path, found);
      return;
    }
    const [one, other] = [identified(before, by), identified(after, by)];
    pairs(one, other, path, found, ([server, name]) =>
      server ? `[server=${cut(server)},${by}=${cut(name)}]` : `[${by}=${cut(name)}]`);
    const kept = [...one.keys()].filter((each) => other.has(each));
    const there = [...other.keys()].filter((each) => one.has(each));
    if (kept.some((each, at) => each !== there[at])) add(found, "reordered", path, null, null);
  }

  function byPlace(old, fresh, path, found) {
    const shorter = Math.min(old.length, fresh.length);
    let begin = 0;
    while (begin < shorter && old[begin].same === fresh[begin].same) begin += 1;
    let end = 0;
    while (end < shorter - begin && old[old.length - 1 - end].same === fresh[fresh.length - 1 - end].same) end += 1;
    const placed = (items) =>
      new Map(items.slice(begin, items.length - end).map((each, at) => [begin + at, [begin + at, 0, each]]));
    pairs(placed(old), placed(fresh), path, found, ([at]) => "/" + at);
  }

  function identified(items, by) {
    const found = new Map();
    for (const each of items) {
      const name = textOf(each, by);
      const server = textOf(each, "server") || "";
      const key = server.length + ":" + server + (name === null ? "" : name);
      if (name === null || found.has(key)) return null;
      found.set(key, [server, name, each]);
    }
    return found;
  }

  function textOf(node, member) {
    if (node.kind !== "object") return null;
    for (let at = node.members.length - 1; at >= 0; at -= 1) {
      const each = node.members[at];
      if (each.value.kind === "string" && decoded(each.name) === member) return decoded(each.value.text);
    }
    return null;
  }

  // What a document is. `known` are the facts that Python holds: schemas, run-time keys, names that are free.
  function kindOf(root, known) {
    if (root.kind !== "object") return "other";
    const schema = textOf(root, "$schema") || "";
    if (known.plugin.includes(schema)) return "plugin";
    if (known.mcp.includes(schema)) return "mcp";
    const members = new Map(root.members.map((each) => [decoded(each.name), each.value.kind]));
    const listed = members.get("mcpServers") === "array" && members.get("tools") === "array";
    if (schema.startsWith(known.snapshot) || (listed && members.get("plugin") === "object")) return "snapshot";
    return members.get("mcpServers") === "object" ? "mcp" : "other";
  }

  function writtenBack(root, known) {
    const kind = kindOf(root, known);
    const found = [];
    if (kind === "plugin" || kind === "mcp") runtimeKeys(root, [], true, known, found);
    return found;
  }

  function runtimeKeys(node, path, namesAreKeys, known, found) {
    if (path.length >= known.depth || !node.members) return;
    if (node.kind === "array") {
      node.members.forEach((each, at) => runtimeKeys(each.value, [...path, at], true, known, found));
      return;
    }
    const last = new Map(node.members.map((each) => [decoded(each.name), each.value]));
    for (const [key, value] of last) {
      const inner = [...path, key];
      if (namesAreKeys && Object.hasOwn(known.runtime, key)) found.push({ pointer: pointer(inner), key });
      if (!(namesAreKeys && known.free.includes(key))) {
        runtimeKeys(value, inner, key !== "mcpServers" || !namesAreKeys, known, found);
      }
    }
  }

  const pointer = (path) =>
    path.map((each) => "/" + [...String(each)].slice(0, POINTER_STEP).join("").replaceAll("~", "~0").replaceAll("/", "~1")).join("");

  window.ProwessWorkbench = { parse, format, points, spot, remarks, differences, number, kindOf, writtenBack };
})();
