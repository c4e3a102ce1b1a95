// Reuses the HTML of components that show the same thing on many pages, such as a product card. React spends most of a
// list page on the elements inside such components; here it writes the outer element, and the host inserts the rest.
//
// The host gives data that only such components need an id, `$id`. In a page's props it sends the id alone: the component
// then writes a reference, which the host replaces by HTML that it knows. When it does not know the HTML, it sends the id
// with the data: the component then writes the reference and the HTML. Data without an id is rendered as usual.
//
// The browser gets the ordinary component, and the HTML is the same to the byte, so hydration is unaffected. That requires
// a component whose contents
// - depend on nothing but the data and `key`: no context, no clock, no state that differs from its first value;
// - have no `useId`, whose ids count across the page;
// - consist of HTML elements.
// A component that suspends, or puts something elsewhere into the page (a preload, a title), is rendered as usual.
import { type ComponentType, createElement, type HTMLAttributes, type ReactElement } from "react";

/** Defined by the server's build, and by a browser's build that wants to drop the server's part of this file. */
declare const __SERVER__: boolean | undefined;

interface Outer<Props> {
  /** The outer element. */
  as: keyof HTMLElementTagNameMap;
  /** Attributes of the outer element. They are not part of what is reused. */
  attributes?: (props: Props) => HTMLAttributes<HTMLElement>;
}

const none = () => ({});

interface Single<Props> extends Outer<Props> {
  /** The data that the host may have given an id. */
  data: (props: Props) => object;
  /** Tells apart all that differs inside in addition to the data. */
  key?: (props: Props) => string;
}

/** `Component` inside of an outer element. */
export function reusable<Props extends object>(
  Component: ComponentType<Props>,
  { as, attributes = none, data, key = () => "" }: Single<Props>,
): ComponentType<Props> {
  const Ordinary = (props: Props) =>
    createElement(as, attributes(props), createElement(Component, props));
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const component = ++components;
    return function Reusable(props: Props) {
      const html = reference(component, data(props), key(props), as, () =>
        createElement(Component, props),
      );
      return html === null ? Ordinary(props) : outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

interface ListProps<Item> {
  items: Item[];
}

interface List<Item> extends Outer<ListProps<Item>> {
  /** React's key of an item, within the list. */
  key: (item: Item) => string;
}

/** One `Component` for each item, which the host may have given an id, inside of one outer element. */
export function reusableList<Item extends object>(
  Component: ComponentType<Item>,
  { as, attributes = none, key }: List<Item>,
): ComponentType<ListProps<Item>> {
  const Ordinary = ordinaryList(Component, { as, attributes, key });
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const component = ++components;
    return function ReusableList(props: ListProps<Item>) {
      let html = "";
      for (const item of props.items) {
        const one = reference(component, item, "", as, () => createElement(Component, item));
        if (one === null) return Ordinary(props);
        html += one;
      }
      return outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

function ordinaryList<Item extends object>(
  Component: ComponentType<Item>,
  { as, attributes, key }: Required<List<Item>>,
): (props: ListProps<Item>) => ReactElement {
  return (props) => {
    const items = props.items.map((item) => <Component key={key(item)} {...item} />);
    return createElement(as, attributes(props), items);
  };
}

interface Template<Props> extends Outer<Props> {
  /** Props that appear in the HTML as they are: not tested, not formatted, not joined. */
  texts: (keyof Props & string)[];
  /** Tells apart all that differs in the HTML in addition to the texts; null where it is rendered as usual. */
  shape: (props: Props) => string | null;
}

/** `Component` inside of an outer element. On the server each shape is rendered once, with a gap for each text. */
export function template<Props extends object>(
  Component: ComponentType<Props>,
  { as, attributes = none, texts, shape }: Template<Props>,
): ComponentType<Props> {
  const Ordinary = (props: Props) =>
    createElement(as, attributes(props), createElement(Component, props));
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const filled = templates(Component, as, texts, shape);
    return function Template(props: Props) {
      const html = filled(props);
      return html === null ? Ordinary(props) : outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

interface TemplateList<Item> extends List<Item>, Pick<Template<Item>, "texts" | "shape"> {}

/** The same for one `Component` for each item, inside of one outer element. */
export function templateList<Item extends object>(
  Component: ComponentType<Item>,
  { as, attributes = none, key, texts, shape }: TemplateList<Item>,
): ComponentType<ListProps<Item>> {
  const Ordinary = ordinaryList(Component, { as, attributes, key });
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const filled = templates(Component, as, texts, shape);
    return function TemplateList(props: ListProps<Item>) {
      let html = "";
      for (const item of props.items) {
        const one = filled(item);
        if (one === null) return Ordinary(props);
        html += one;
      }
      return outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

/** Writes the HTML of a component by its templates; null where it has to be rendered as usual. */
function templates<Props extends object>(
  Component: ComponentType<Props>,
  as: string,
  texts: (keyof Props & string)[],
  shape: (props: Props) => string | null,
): (props: Props) => string | null {
  /** By shape: HTML, and the names of the texts between its pieces. */
  const known = new Map<string, string[]>();

  function rendered(props: Props): string[] | null {
    const gaps = texts.filter((text) => props[text] != null);
    const marked = Object.fromEntries(gaps.map((text) => [text, GAP + text + GAP]));
    return inner(as, createElement(Component, { ...props, ...marked }))?.split(GAP) ?? null;
  }

  return (props) => {
    const name = ordinarily ? null : shape(props);
    if (name === null) return null;
    const pieces = known.get(name) ?? rendered(props);
    if (pieces === null) return null;
    known.set(name, pieces);
    let html = "";
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as string;
      if (at % 2 === 0) {
        html += piece;
        continue;
      }
      const text = String(props[piece as keyof Props]);
      // React leaves out an empty text and what separates it from others.
      if (text === "") return null;
      html += escapeText(text);
    }
    return html;
  };
}

let components = 0;
let ordinarily = false;

/** Renders with each component as the browser has it: to compare both. `work` must not suspend. */
export function withoutReuse<Result>(work: () => Result): Result {
  ordinarily = true;
  try {
    return work();
  } finally {
    ordinarily = false;
  }
}

function outer(as: string, attributes: object, html: string): ReactElement {
  return createElement(as, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}

/** Around the name of a piece of HTML; a name is followed by `IS` and the HTML, or by nothing. */
const MARK = "\u0001";
const IS = "\u0002";
/** Around the name of a text in a template. */
const GAP = "\u0003";

const ESCAPES: Record<string, string> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#x27;",
  "<": "&lt;",
  ">": "&gt;",
};

/** As React escapes text and attributes. */
function escapeText(text: string): string {
  return /["&'<>]/.test(text) ? text.replace(/["&'<>]/g, (c) => ESCAPES[c] ?? c) : text;
}

/** A reference to the HTML of a component, with the HTML if its data is there; null when it cannot be reused. */
function reference(
  component: number,
  data: object & { $id?: number },
  key: string,
  as: string,
  element: () => ReactElement,
): string | null {
  const { $id: id } = data;
  if (id === undefined) return null;
  const name = `${component} ${id} ${key}`;
  if (hasOnlyId(data)) return MARK + name + MARK;
  const html = inner(as, element());
  return html === null ? null : MARK + name + IS + html + MARK;
}

function hasOnlyId(data: object): boolean {
  for (const field in data) if (field !== "$id") return false;
  return true;
}

/** The HTML of `element`, or null when it cannot stand alone. */
function inner(as: string, element: ReactElement): string | null {
  const html = globalThis.ssr.renderElement?.(createElement(as, null, element));
  const [open, close] = [`<${as}>`, `</${as}>`];
  if (typeof html !== "string" || !html.startsWith(open) || !html.endsWith(close)) return null;
  return html.includes(MARK) || html.includes(IS) ? null : html.slice(open.length, -close.length);
}
