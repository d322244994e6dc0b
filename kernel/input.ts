import {
  harmlessBytes,
  isJsonType,
  jsonLimits,
  parseJson,
  parseUnchecked,
  refuseUnsafe,
} from './http/body.ts'
import type { HeldBody } from './http/held-bodies.ts'
import type { HttpRequest } from './http/message.ts'
import { isMultipartType, toUpload } from './http/multipart.ts'
import { pace } from './pace.ts'
import { refusals } from './refusals.ts'
import type { RouteSpec } from './route.ts'

const defaultMaxBytes = 1024 * 1024

/** True if a route has a body to read. */
export function takesBody({ body, raw, upload }: RouteSpec): boolean {
  return body !== undefined || raw === true || upload !== undefined
}

/**
 * Reads the body of a request as its route declares it, and counts its bytes in memory. Returns bytes or
 * JSON, which is `{}` without a body. The handler itself reads a multipart form. Large bodies that arrive
 * together are parsed and handled in turns, so that other requests are answered in between.
 */
export async function readBody(
  spec: RouteSpec,
  request: HttpRequest,
  { add: onBytes, subtract }: HeldBody,
): Promise<unknown> {
  const { body, upload, parse, maxBytes = defaultMaxBytes, maxValues = jsonLimits.values } = spec
  if (spec.raw) return request.read(maxBytes, onBytes)
  const type = request.header('content-type')
  const isEncoded = request.header('content-encoding') !== undefined
  if (upload && (!body || isMultipartType(type))) {
    if (type === undefined || !isMultipartType(type) || isEncoded)
      throw refusals.unsupportedMediaType('multipart/form-data')
    return toUpload(request.stream(maxBytes, onBytes), type, upload, {
      subtract,
      isDisposable: request.isDisposable,
    })
  }
  if (type === undefined && !request.hasBody) return {}
  refuseOtherType(type, isEncoded)
  const bytes = await request.read(upload ? defaultMaxBytes : maxBytes, onBytes)
  const isLarge = bytes.byteLength > harmlessBytes
  if (isLarge) await pace()
  const limits = { ...jsonLimits, values: maxValues }
  const parsed = parseUnchecked(bytes, limits, parse)
  if (isLarge) await pace()
  refuseUnsafe(parsed, limits)
  if (isLarge) await pace()
  return parsed
}

function refuseOtherType(type: string | undefined, isEncoded: boolean): void {
  if (!isJsonType(type) || isEncoded) throw refusals.unsupportedMediaType('application/json; charset=utf-8')
}

/**
 * Parses the bytes of a `raw` route by the rules of JSON bodies, after its handler has checked their
 * signature. Refuses with 415 `unsupported_media_type` and 400 `invalid_json`.
 */
export function readRawJson({ header }: Pick<HttpRequest, 'header'>, bytes: Uint8Array): unknown {
  refuseOtherType(header('content-type'), header('content-encoding') !== undefined)
  return parseJson(bytes)
}
