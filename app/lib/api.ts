import { calls } from "./early";
import { isRecord } from "./storage";
import { timeLimit } from "./timers";
import type { Problem, paths } from "./types";

/** Statuses after which a retry may succeed. */
const RETRYABLE = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const PAUSE_MS = 500;

/** Calls that read or set cookies of the page's own host (`__Host-`), such as the age proof: no other host gets these. */
const OWN_HOST = /^\/api\/(cart|checkout|me$)/;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `/api/cart/${string}` for `/api/cart/{id}`. */
type Filled<Path> = Path extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${string}${Filled<End>}`
  : Path;
type Pattern = Filled<keyof paths>;
/** A path of the API with its parameters filled in and an optional query. */
export type ApiPath = Pattern | `${Pattern}?${string}`;

type Segments<Path> = Path extends `${infer First}/${infer Rest}`
  ? [First, ...Segments<Rest>]
  : [Path];
type WithoutQuery<Path> = Path extends `${infer Start}?${string}` ? Start : Path;
/** Whether these segments match a route's, where a route segment in braces matches anything. */
type Matches<Segment, Of> = Segment extends [infer First, ...infer Rest]
  ? Of extends [infer FirstOf, ...infer RestOf]
    ? FirstOf extends `{${string}}`
      ? Matches<Rest, RestOf>
      : First extends FirstOf
        ? Matches<Rest, RestOf>
        : false
    : false
  : Of extends []
    ? true
    : false;
/** The routes that match a path. */
type MatchingRoute<Path, Route> = Route extends keyof paths
  ? Matches<Segments<Path>, Segments<Route>> extends true
    ? Route
    : never
  : never;
/** The route of a path. As on the server, a route without parameters takes precedence over one with parameters. */
type RouteOf<Path extends string> =
  WithoutQuery<Path> extends keyof paths
    ? WithoutQuery<Path>
    : MatchingRoute<WithoutQuery<Path>, keyof paths>;
type Operation<Path extends string, M extends Method> = [RouteOf<Path>] extends [never]
  ? never
  : paths[RouteOf<Path>] extends Record<Lowercase<M>, infer Found>
    ? Found
    : never;

type Json<Content> = Content extends { content: { "application/json": infer Body } }
  ? Body
  : undefined;
/** The body of a successful response. */
export type ResponseBody<Path extends string, M extends Method = "GET"> =
  Operation<Path, M> extends { responses: infer Responses }
    ? Json<Responses[Extract<keyof Responses, 200 | 201 | 202 | 204>]>
    : never;
/** The body of a request. */
export type RequestBody<Path extends string, M extends Method> =
  Operation<Path, M> extends { requestBody: infer Body } ? Json<Body> : undefined;

type Options<Path extends string, M extends Method> = [Operation<Path, M>] extends [never]
  ? never
  : Omit<CallOptions, "method" | "body"> & { method: M } & (undefined extends RequestBody<Path, M>
        ? { body?: undefined }
        : { body: RequestBody<Path, M> });

/** Calls an endpoint. Path, method, request body, and response body follow the server's API description. */
export interface Call {
  <const Path extends ApiPath>(
    path: [Operation<Path, "GET">] extends [never] ? never : Path,
    options?: Omit<CallOptions, "method" | "body">,
  ): Promise<ResponseBody<Path>>;
  <const Path extends ApiPath, M extends Method>(
    path: Path,
    options: Options<Path, M>,
  ): Promise<ResponseBody<Path, M>>;
}

export interface CallOptions {
  method?: Method;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Number of retries; none by default. */
  retry?: number;
  /** Milliseconds to wait for the response: 10 s by default. */
  timeout?: number;
  /** Lets the request finish after the page is closed. */
  keepalive?: boolean;
}

/** A response that is not a success, or, with status 0, no response. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(
    readonly status: number,
    /** The problem from the response body. */
    readonly problem: Problem | null,
    options?: ErrorOptions,
  ) {
    super(problem?.detail ?? "We couldn’t reach the shop. Please try again.", options);
  }

  /** The first message about a field. */
  about(field: string): string | undefined {
    return this.problem?.errors[field]?.[0];
  }
}

export interface ApiHost {
  /** Empty for this origin. */
  base(): string;
  /** An access token, for clients that have one; browsers use a cookie instead. */
  token(): Promise<string | null>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  pause(ms: number): Promise<void>;
}

export function createApi(host: ApiHost): Call {
  async function attempt(path: string, options: CallOptions): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json", ...options.headers };
    if (options.body !== undefined) headers["content-type"] = "application/json";
    const token = await host.token().catch((error: unknown) => {
      console.error("No access token:", error);
      return null;
    });
    if (token) headers.authorization = `Bearer ${token}`;
    return host.fetch((OWN_HOST.test(path) ? "" : host.base()) + path, {
      method: options.method ?? "GET",
      headers,
      credentials: "include",
      signal: timeLimit(options.signal, options.timeout),
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.keepalive && { keepalive: true }),
    });
  }

  async function repeat(path: string, options: CallOptions): Promise<unknown> {
    for (let retries = options.retry ?? 0; ; retries -= 1) {
      let response: Response;
      try {
        response = await attempt(path, options);
      } catch (cause) {
        if (options.signal?.aborted) throw cause;
        if (retries <= 0) throw new ApiError(0, null, { cause });
        await host.pause(PAUSE_MS);
        continue;
      }
      if (response.ok) return contentOf(response, options.signal);
      if (retries <= 0 || !RETRYABLE.has(response.status)) {
        throw new ApiError(response.status, await problemOf(response));
      }
      await host.pause(PAUSE_MS);
    }
  }

  /** Resolves with the body of a successful response; rejects with an `ApiError` otherwise. */
  return async function call(path: string, options: CallOptions = {}): Promise<never> {
    calls.running += 1;
    try {
      return (await repeat(path, options)) as never;
    } finally {
      calls.running -= 1;
    }
  };
}

/** The connection may be lost after the head. */
async function contentOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, null, { cause });
  }
}

async function problemOf(response: Response): Promise<Problem | null> {
  try {
    const body: unknown = await response.json();
    return isRecord(body) && typeof body.detail === "string" && isRecord(body.errors)
      ? (body as unknown as Problem)
      : null;
  } catch {
    return null;
  }
}

let base: string | undefined;

/** The base URL of the API, from the page that the server rendered. */
function pageBase(): string {
  if (base === undefined) {
    const page: unknown = JSON.parse(document.getElementById("page")?.textContent ?? "null");
    const shared = isRecord(page) && isRecord(page.shared) ? page.shared : {};
    base = typeof shared.api_base === "string" ? shared.api_base : "";
  }
  return base;
}

/** Calls the shop's API as this browser. */
export const call = createApi({
  base: pageBase,
  token: () => Promise.resolve(null),
  fetch: (url, init) => fetch(url, init),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
