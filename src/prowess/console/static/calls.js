// The list of calls asks for new ones by itself. While somebody reads in it, nothing moves.
"use strict";

function isRead(part) {
  const selection = document.getSelection();
  const selected = selection && !selection.isCollapsed && part.contains(selection.anchorNode);
  return document.hidden || selected || part.contains(document.activeElement) || part.getBoundingClientRect().top < 0;
}

function hold(event) {
  const part = event.target.closest("[data-live]");
  if (part && isRead(part)) event.preventDefault();
}

document.addEventListener("htmx:beforeRequest", hold);
document.addEventListener("htmx:beforeSwap", hold);
