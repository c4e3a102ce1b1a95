// Reuses the HTML of a component that shows the same thing on many pages, such as a product card. React spends most of a
// list page on the elements inside such components; here it writes the outer element and takes the rest from a cache.
//
// The browser gets the ordinary component, and the HTML is the same to the byte, so hydration notices nothing. That holds
// for a component whose inside
// - depends on nothing but what `key` is made of: no context, no clock, no state that differs from its first value;
// - has no `useId`, whose ids count across the page;
// - is made of HTML elements.
// A component that suspends, or puts something elsewhere into the page (a preload, a title), is rendered as usual.
import { type ComponentType, createElement, type HTMLAttributes } from "react";

/** Defined by the server's build, and by a browser's build that wants to drop the server's part of this file. */
declare const __SERVER__: boolean | undefined;

interface Options<Props> {
  /** The outer element. */
  as: keyof HTMLElementTagNameMap;
  /** Tells apart all that differs inside: an id and a version, say. */
  key: (props: Props) => string;
  /** Attributes of the outer element. They are not part of what is reused. */
  attributes?: (props: Props) => HTMLAttributes<HTMLElement>;
}

/** `Component` inside of an outer element. */
export function reusable<Props extends object>(
  Component: ComponentType<Props>,
  { as, key, attributes = () => ({}) }: Options<Props>,
): ComponentType<Props> {
  const Ordinary = (props: Props) =>
    createElement(as, attributes(props), createElement(Component, props));
  if (typeof __SERVER__ === "undefined" || !__SERVER__) return Ordinary;

  const component = ++components;
  const open = `<${as}>`;
  const close = `</${as}>`;

  /** The inner HTML, or null when it cannot stand alone. */
  function inner(props: Props): string | null {
    const html = globalThis.ssr.renderElement?.(
      createElement(as, null, createElement(Component, props)),
    );
    if (typeof html !== "string" || !html.startsWith(open) || !html.endsWith(close)) return null;
    return html.slice(open.length, -close.length);
  }

  return function Reusable(props: Props) {
    const name = `${component} ${key(props)}`;
    let html = cache.get(name) ?? null;
    if (html === null) {
      html = inner(props);
      if (html === null) return Ordinary(props);
      cache.set(name, html);
    } else if (process.env.NODE_ENV !== "production" && html !== inner(props)) {
      console.error(`The key "${name}" of a reusable component stands for different HTML.`);
    }
    return createElement(as, { ...attributes(props), dangerouslySetInnerHTML: { __html: html } });
  };
}

let components = 0;

/** The HTML of all reusable components of an isolate. What was not used for longest goes first. */
class Cache {
  readonly #limit: number;
  readonly #entries = new Map<string, string>();
  #size = 0;

  /** `limit` is in characters, which take one byte each, or two in text that is not Western European. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(name: string): string | undefined {
    const html = this.#entries.get(name);
    if (html !== undefined) {
      this.#entries.delete(name);
      this.#entries.set(name, html);
    }
    return html;
  }

  set(name: string, html: string): void {
    this.#entries.set(name, html);
    this.#size += name.length + html.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#size <= this.#limit) return;
      this.#entries.delete(oldest);
      this.#size -= oldest.length + length;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}

const cache = new Cache(8 << 20);
// Samples that a page was warmed up with must not stand for real things.
if (globalThis.ssr) globalThis.ssr.forget = () => cache.clear();
