// What pages do beyond links and forms. Without it everything still works.
"use strict";

// "/" goes to the search field, as long as nothing is being written.
document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector("input[type=search]");
  if (field) {
    event.preventDefault();
    field.focus();
  }
});

// The reader's language and colours change as soon as they are chosen; the button is for those without a script.
for (const form of document.querySelectorAll("form.display")) {
  form.classList.add("scripted");
  form.addEventListener("change", () => form.requestSubmit());
}

// A yes counts once: a second press of its button is nothing, until the page is come back to.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.confirm");
  if (!form) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form.confirm")) delete form.dataset.sent;
});

// A list that asks again while nothing answers says so once.
document.addEventListener("htmx:sendError", () => {
  if (document.querySelector(".lost")) return;
  const note = document.createElement("p");
  note.className = "lost notice bad";
  note.setAttribute("role", "alert");
  note.textContent = document.documentElement.lang === "zh" ? "控制台已停止。" : "The console has stopped.";
  document.getElementById("main").prepend(note);
});

// A part that asks for news by itself holds still while somebody reads in it.
function isRead(part) {
  const selection = document.getSelection();
  const selected = selection && !selection.isCollapsed && part.contains(selection.anchorNode);
  return document.hidden || selected || part.contains(document.activeElement) || (part.dataset.live === "top" && part.getBoundingClientRect().top < 0);
}

function hold(event) {
  const part = event.target.closest("[data-live]");
  if (part && isRead(part)) event.preventDefault();
}

document.addEventListener("htmx:beforeRequest", hold);
document.addEventListener("htmx:beforeSwap", hold);

// Times are put into the reader's own form; what was sent is the time of the machine.
const languages = navigator.languages.filter((each) => each.startsWith(document.documentElement.lang));
const dates = new Intl.DateTimeFormat(languages.length ? languages : document.documentElement.lang, {
  year: "numeric", month: "short", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
});

function localise(part) {
  for (const each of part.querySelectorAll("time[datetime]")) {
    each.title = each.dateTime;
    each.textContent = dates.format(new Date(each.dateTime));
  }
}

localise(document);
document.addEventListener("htmx:load", (event) => localise(event.target));
