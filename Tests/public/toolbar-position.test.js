import assert from "node:assert/strict";
import { test } from "node:test";
import { gap, isNarrow, positionOf, sizeOf } from "../../public/viewer/lazy/toolbar-position.js";

const sizes = { row: { width: 160, height: 36 }, column: { width: 36, height: 160 } };
const desktop = { width: 1440, height: 900 };
const tablet = { width: 640, height: 900 };
const phone = { width: 375, height: 700 };

/** @param {{ width: number, height: number }} screen @param {number} width @param {number} top @param {number} bottom */
const middle = (screen, width, top, bottom) => ({ left: (screen.width - width) / 2, right: (screen.width + width) / 2, top, bottom });

/** @param {{ left: number, top: number, isColumn: boolean }} place */
const boxOf = ({ left, top, isColumn }) => {
  const { width, height } = isColumn ? sizes.column : sizes.row;
  return { left, top, right: left + width, bottom: top + height };
};

test("beside centred toasts it stands at their inline end, level with the one nearest to the edge", () => {
  const toasts = middle(desktop, 500, 16, 300);
  assert.deepEqual(positionOf(sizes, toasts, desktop, "top", false), { left: 970 + gap, top: 16, isColumn: false });
  assert.equal(positionOf(sizes, toasts, desktop, "top", true).left, 470 - gap - 160);
  const low = middle(desktop, 500, 600, 884);
  assert.equal(positionOf(sizes, low, desktop, "bottom", false).top, 884 - 36);
  assert.equal(positionOf(sizes, middle(desktop, 500, 300, 600), desktop, "center", false).top, 432);
});

test("beside toasts at one side of the screen it stands at the other", () => {
  const right = { left: 924, right: 1424, top: 600, bottom: 884 };
  assert.equal(positionOf(sizes, right, desktop, "bottom", false).left, 924 - gap - 160);
  const left = { left: 16, right: 516, top: 16, bottom: 90 };
  assert.equal(positionOf(sizes, left, desktop, "top", true).left, 516 + gap);
});

test("beside the toasts it does not move when another one comes", () => {
  for (const placement of ["top", "bottom"]) {
    const [few, many] = placement === "top" ? [middle(desktop, 500, 16, 90), middle(desktop, 500, 16, 700)]
      : [middle(desktop, 500, 810, 884), middle(desktop, 500, 200, 884)];
    assert.deepEqual(positionOf(sizes, few, desktop, placement, false), positionOf(sizes, many, desktop, placement, false));
  }
});

test("with little room beside the toasts it is a column, with none it stands beyond the newest", () => {
  assert.equal(positionOf(sizes, middle(tablet, 500, 16, 90), tablet, "top", false).isColumn, true);
  const toasts = middle(phone, 343, 16, 90);
  assert.equal(isNarrow(toasts, phone), true);
  assert.equal(isNarrow(middle(tablet, 500, 16, 90), tablet), false);
  assert.deepEqual(positionOf(sizes, toasts, phone, "top", false), { left: 107.5, top: 98, isColumn: false });
  assert.equal(positionOf(sizes, middle(phone, 343, 610, 684), phone, "bottom", false).top, 610 - gap - 36);
});

for (const [name, screen, width] of /** @type {const} */ ([["desktop", desktop, 500], ["tablet", tablet, 500], ["phone", phone, 343]])) {
  for (const placement of ["top", "center", "bottom"]) {
    test(`on a ${name} it covers no toast at the ${placement}, and is on the screen`, () => {
      for (const height of [70, 300, screen.height - 100]) {
        const top = placement === "top" ? 16 : placement === "bottom" ? screen.height - 16 - height : (screen.height - height) / 2;
        const toasts = middle(screen, width, top, top + height);
        const it = boxOf(positionOf(sizes, toasts, screen, placement, false));
        const isApart = it.right <= toasts.left || it.left >= toasts.right || it.bottom <= toasts.top || it.top >= toasts.bottom;
        // A list in the middle that fills the screen leaves a strip at the lower edge.
        if (placement !== "center" || height < screen.height - 100) { assert.ok(isApart, JSON.stringify({ it, toasts })); }
        assert.ok(it.left >= 0 && it.top >= 0 && it.right <= screen.width && it.bottom <= screen.height);
      }
    });
  }
}

test("its size is that of its buttons", () => {
  const buttons = [{ width: 28, height: 28 }, { width: 48, height: 28 }];
  const measure = { padding: 4, space: 2 };
  assert.deepEqual(sizeOf(buttons, measure, false), { width: 86, height: 36 });
  assert.deepEqual(sizeOf(buttons, measure, true), { width: 56, height: 66 });
  assert.deepEqual(sizeOf([], measure, false), { width: 8, height: 8 });
});
