// SPDX-License-Identifier: MIT
// Keys and the wheel of a chart that moves.

/**
 * Keys of a chart, in each of these elements: the chart and the bar of its buttons, so that they work after a click on
 * one. What a field or the browser uses stays theirs.
 */
export function takeKeys(elements: HTMLElement[], key: (event: KeyboardEvent) => void): void {
  const take = (event: KeyboardEvent) => {
    const field = event.target instanceof Element && event.target.closest('input, select, textarea') !== null;
    if (!field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      key(event);
    }
  };
  elements.forEach((element) => element.addEventListener('keydown', take));
}

/** The wheel zooms with Ctrl, or in a chart that was clicked; else it scrolls the page. */
export function zoomByWheel(element: HTMLElement, zoom: (event: WheelEvent) => void): void {
  // The focus alone says too little: a view that is reached by a key or an address has it.
  let clicked = false;
  element.addEventListener('pointerdown', () => {
    clicked = true;
  });
  element.addEventListener('blur', () => {
    clicked = false;
  });
  element.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || clicked) {
        event.preventDefault();
        zoom(event);
      }
    },
    { passive: false },
  );
}
