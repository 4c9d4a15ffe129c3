// The workbench on a page, as one types: what static/workbench.js finds, written with textContent and nothing else.
// Without it the forms work by themselves. In the static file there are no forms, and this is all there is.
"use strict";

(() => {
  const { parse, format, points, spot, remarks, differences, kindOf, writtenBack } = window.ProwessWorkbench;
  const PART = 100000; // characters of a result that are put on the page; Copy and Download give all of it
  const BOXES = 500; // characters that cannot be seen, each of which becomes an element
  const AROUND = 60;
  const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
  const KINDS = { added: "good", removed: "bad", changed: "warn", reordered: "off" };

  const language = () => document.documentElement.lang;
  const wordsOf = (root) => {
    const every = JSON.parse(root.dataset.words);
    return every[language()] || every;
  };
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  // Text of others: in an isolate, what cannot be seen as a box with its code point, cut after `most` characters.
  function shown(text, most, block = false) {
    const made = document.createElement("bdi");
    const head = text.slice(0, most);
    let left = text.length - head.length;
    if (!UNPRINTABLE.test(head)) made.append(head);
    else left += boxes(head, block, made);
    return left ? [made, element("span", "cut", ` … +${left}`)] : [made];
  }

  function boxes(text, block, into) {
    let run = "";
    let count = 0;
    let at = 0;
    for (const each of text) {
      if (!UNPRINTABLE.test(each) || (block && (each === "\n" || each === "\t"))) run += each;
      else if (count === BOXES) break;
      else {
        const code = each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
        into.append(run, element("span", "unseen", `U+${code}`));
        run = "";
        count += 1;
      }
      at += each.length;
    }
    into.append(run);
    return text.length - at;
  }

  // Line, column and words, and the line with the character marked.
  function place(text, found, message, words) {
    const at = spot(text, found.at);
    const line = [...cutLine(at.written, at.column)];
    const column = Math.min(at.column, AROUND + 1);
    const heading = element("p", "", `${fill(words.said.place, at)}: ${message}`);
    if (found.what) heading.append(" ", element("code", "", ...shown(found.what, 80)));
    const before = (at.column > AROUND + 1 ? "…" : "") + line.slice(0, column - 1).join("");
    const mark = element("mark", "", ...shown(line[column - 1] || " ", 2));
    const pre = element("pre", "place", ...shown(before, 200), mark, ...shown(line.slice(column).join(""), 200));
    pre.tabIndex = 0;
    return [heading, pre];
  }

  function cutLine(written, column) {
    const begin = Math.max(0, column - 1 - AROUND);
    let at = 0;
    let part = "";
    for (const each of written) {
      if (at >= begin + 2 * AROUND + 1) return part + "…";
      if (at >= begin) part += each;
      at += 1;
    }
    return part;
  }

  const faultNotice = (text, found, words) =>
    element("div", "notice bad", ...place(text, found, words.faults[found.code], words));

  function remarkList(text, root, words) {
    const [first, total] = remarks(text, root);
    if (!first.length) return [];
    const list = element("ul", "remarks");
    for (const each of first) list.append(element("li", "", ...place(text, each, words.remarks[each.code], words)));
    const heading = element("h2", "", words.said.remarks);
    return [heading, list, ...counted(first.length, total, words)];
  }

  const counted = (told, total, words) =>
    total > told ? [element("p", "count", fill(words.said.more, { shown: told, total }))] : [];

  // -- format

  function formatting(root) {
    const text = root.querySelector("textarea");
    const copy = root.querySelector("[data-act=copy]");
    let result = "";

    function now() {
      const words = wordsOf(root);
      const indent = Number(root.querySelector("[name=indent]:checked").value);
      const found = format(text.value, indent, root.querySelector("[name=sort]").checked);
      const parts = [];
      result = typeof found === "string" ? found : "";
      if (result) {
        const pre = element("pre", "", ...shown(result, PART, true));
        pre.tabIndex = 0;
        parts.push(pre);
        if (result.length > PART) parts.push(element("p", "hint", words.said["shown-part"]));
        parts.push(...remarkList(text.value, parse(text.value), words));
        say(root, fill(words.said.formatted, { size: points(result) }));
      } else if (found.code === "empty") say(root, "");
      else {
        parts.push(faultNotice(text.value, found, words));
        say(root, words.said["not-json"]);
      }
      root.querySelector("[data-part=result]").replaceChildren(...parts);
    }

    copy.hidden = !navigator.clipboard;
    copy.addEventListener("click", () => {
      const words = wordsOf(root).said;
      const told = (sentence) => () => say(root, sentence);
      if (result) navigator.clipboard.writeText(result).then(told(words.copied), told(words["not-copied"]));
    });
    root.querySelector("[data-act=download]").addEventListener("click", (event) => {
      event.preventDefault();
      if (result) download(result, "formatted.json");
    });
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      now();
    });
    return now;
  }

  function say(root, sentence) {
    const status = root.querySelector("[data-part=status]");
    if (status.textContent !== sentence) status.textContent = sentence;
  }

  function download(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // -- compare

  function comparing(root) {
    const known = JSON.parse(root.dataset.facts);
    const [old, fresh] = ["old", "new"].map((each) => root.querySelector(`textarea[name=${each}]`));

    return () => {
      const words = wordsOf(root);
      const sides = [old, fresh].map((each) => ({ text: each.value, root: parse(each.value) }));
      const parts = [];
      for (const each of sides) {
        if (each.root.code && each.root.code !== "empty") parts.push(faultNotice(each.text, each.root, words));
      }
      if (sides.some((each) => each.root.code)) say(root, parts.length ? words.said["not-json"] : "");
      else parts.push(...compared(sides[0].root, sides[1].root, words, known, root));
      root.querySelector("[data-part=result]").replaceChildren(...parts);
    };
  }

  function compared(old, fresh, words, known, root) {
    const found = differences(old, fresh);
    const kinds = [kindOf(old, known), kindOf(fresh, known)];
    const total = Object.values(found.counts).reduce((sum, each) => sum + each, 0);
    say(root, total ? fill(words.said.differ, found.counts) : words.said.same);
    const parts = [element("p", "hint", fill(words.said.compared, { old: words.kinds[kinds[0]], new: words.kinds[kinds[1]] }))];
    const judged = root.tagName === "FORM" && kinds.includes("snapshot") && !kinds.includes("other");
    if (judged) parts.push(element("p", "notice", words.said["by-drift"]));
    const back = [old, fresh].flatMap((each) => writtenBack(each, known).map((key) => [kindOf(each, known), key]));
    if (back.length) parts.push(backNotice(back, words, known));
    if (total) parts.push(table(found.told, words), ...counted(found.told.length, total, words));
    return parts;
  }

  function backNotice(back, words, known) {
    const list = element("ul", "");
    for (const [kind, key] of back.slice(0, 50)) {
      const where = `${kind === "mcp" ? "mcp.json" : "plugin.json"}#${key.pointer}`;
      list.append(element("li", "", element("code", "", ...shown(where, 300)), `: ${known.runtime[key.key]}`));
    }
    const heading = element("h2", "", words.said["written-back"]);
    return element("div", "notice warn", heading, element("p", "", words.said["written-why"]), list);
  }

  function table(told, words) {
    const heads = ["what", "path", "old", "new"].map((each) => {
      const made = element("th", "", words.said[each]);
      made.scope = "col";
      return made;
    });
    const rows = told.map((each) => {
      const path = each.path ? shown(each.path, 300) : [words.said.document];
      const cells = [element("span", `badge ${KINDS[each.what]}`, words.kinds[each.what]), element("code", "", ...path)];
      for (const value of [each.old, each.new]) cells.push(element("code", "", ...shown(value, 330)));
      return element("tr", "", ...cells.map((cell) => element("td", "", cell)));
    });
    const made = element("table", "differences", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...rows));
    const scroll = element("div", "scroll", made);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", words.said.what);
    return scroll;
  }

  // -- as one types

  for (const root of document.querySelectorAll("[data-workbench]")) {
    const now = root.dataset.workbench === "format" ? formatting(root) : comparing(root);
    const areas = [...root.querySelectorAll("textarea")];
    let waiting = 0;
    const soon = () => {
      clearTimeout(waiting);
      const size = areas.reduce((sum, each) => sum + each.value.length, 0);
      waiting = setTimeout(now, 120 + Math.min(1500, size / 5000));
    };
    root.addEventListener("input", soon);
    document.addEventListener("workbench:language", now);
    if (areas.every((each) => each.value) && !root.querySelector("[data-part=result] > *")) now();
    else if (root.dataset.workbench === "format" && areas[0].value) now();
  }
})();
