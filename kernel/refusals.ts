import { defineRefusal } from './errors.ts'

/** Refusals of the kernel itself, before a handler runs. */
export const refusals = {
  badRequest: defineRefusal({ status: 400, code: 'bad_request', reason: (why: string) => why }),
  pathNotPlain: defineRefusal({
    status: 400,
    code: 'bad_request',
    reason: () =>
      "The path is not in its plain form. Send letters, digits and '-._~' as they are, other characters as UTF-8 escapes in upper case (%20, %C3%A4), and no empty or dot segment, backslash, '#' or escaped delimiter.",
  }),
  invalidJson: defineRefusal({ status: 400, code: 'invalid_json', reason: (why: string) => why }),
  invalidRequest: defineRefusal({
    status: 400,
    code: 'invalid_request',
    reason: (why: string, _details: readonly object[]) => why,
    extra: (_why, details) => ({ details }),
  }),
  tooManyParts: defineRefusal({
    status: 400,
    code: 'too_many_parts',
    reason: (fields: number) => `Send one file and at most ${fields} other fields of 64 KiB each.`,
  }),
  notFound: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () =>
      'No route matches this method and path; its plugin may be disabled, or lack a setting that ' +
      '`content-orchestrator routes` names. Paths are case-sensitive and have no trailing slash; ' +
      'GET /docs of the orchestrator lists those for clients.',
  }),
  /** The editor routes of a website have no optional plugins, and no `/docs`. */
  notOnSite: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () => 'No route matches this method and path. Paths are case-sensitive.',
  }),
  notHandled: defineRefusal({
    status: 405,
    code: 'not_handled',
    // The interface fixes this text, so the remedy is a field of its own.
    reason: (method: string, path: string, _allowed: readonly string[]) =>
      `Method ${method} ${path} not handled by the mount`,
    extra: (method, path, allowed) => ({
      message: `Method ${method} ${path} not handled by the mount`,
      remedy:
        allowed.length > 0
          ? `Use ${allowed.join(' or ')} with this path.`
          : 'Check the path: it is case-sensitive, has no trailing slash, and begins with the base path of the mount once. `content-orchestrator routes` lists the routes, and those left out with their reason.',
    }),
    headers: (_method, _path, allowed) => (allowed.length > 0 ? { allow: allowed.join(', ') } : {}),
  }),
  timeout: defineRefusal({
    status: 408,
    code: 'request_timeout',
    reason: () => 'The request took too long to arrive. Send it again without pauses.',
  }),
  bodyTooLarge: defineRefusal({
    status: 413,
    code: 'body_too_large',
    reason: (limit: number) =>
      `The body is larger than the ${limit} bytes that this route accepts. Send it in smaller parts.`,
  }),
  tooManyBodies: defineRefusal({
    status: 503,
    code: 'too_many_bodies',
    reason: () =>
      'The service is reading as many bytes of request bodies as it may hold. Send the request again in a moment, or raise `bodies` in the kernel options.',
    headers: () => ({ 'retry-after': '5' }),
  }),
  urlTooLong: defineRefusal({
    status: 414,
    code: 'url_too_long',
    reason: (limit: number) =>
      `The request target is longer than ${limit} bytes. Send long values in the body.`,
  }),
  unsupportedMediaType: defineRefusal({
    status: 415,
    code: 'unsupported_media_type',
    reason: (wanted: string) => `Send the body as ${wanted}, without a content-encoding.`,
  }),
  rangeNotSatisfiable: defineRefusal({
    status: 416,
    code: 'range_not_satisfiable',
    reason: (size: number) =>
      `The range lies outside the file, which has ${size} bytes. Request a range inside it.`,
    headers: (size) => ({ 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' }),
  }),
  headersTooLarge: defineRefusal({
    status: 431,
    code: 'headers_too_large',
    reason: (lines: number) =>
      `The request has more than ${lines} header lines, or they are too long. Send fewer.`,
  }),
  hostNotAllowed: defineRefusal({
    status: 403,
    code: 'host_not_allowed',
    reason: () =>
      'This host name is not allowed. Use the address of the service, or add the name to ORCHESTRATOR_ALLOWED_HOSTS.',
  }),
  originNotAllowed: defineRefusal({
    status: 403,
    code: 'origin_not_allowed',
    reason: () => 'This origin is not allowed. Add it to ORCHESTRATOR_CORS_ORIGINS.',
  }),
  tooManyRequests: defineRefusal({
    status: 429,
    code: 'too_many_requests',
    reason: (most: number) =>
      `More than ${most} answers wait on this connection. Read them before you send more requests.`,
    headers: () => ({ 'retry-after': '1' }),
  }),
  closing: defineRefusal({
    status: 503,
    code: 'closing',
    reason: () => 'The service is stopping. Send the request again in a moment.',
    headers: () => ({ 'retry-after': '1', connection: 'close' }),
  }),
  bodyAlreadyRead: defineRefusal({
    status: 500,
    code: 'body_already_read',
    reason: () =>
      'This website reads the body of a request before it gets here. Mount these routes before body parsers such as express.json().',
  }),
  timedOut: defineRefusal({
    status: 503,
    code: 'timed_out',
    reason: () => 'The answer took too long. Send the request again.',
    headers: () => ({ 'retry-after': '1' }),
  }),
  internal: defineRefusal({
    status: 500,
    code: 'internal_error',
    reason: (_id: string) =>
      'Something went wrong inside the service. The log has the details under this request id.',
    extra: (requestId) => ({ requestId }),
  }),
} as const

/** `notFound` is also for policies that hide known paths, `rangeNotSatisfiable` for routes that answer parts of files. */
export const { notFound, rangeNotSatisfiable } = refusals
