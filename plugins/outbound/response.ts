import { readBody } from './body.ts'
import type { Answer } from './client.ts'
import { UpstreamFailure, type OutboundRequest, type OutboundResponse } from './port.ts'

/** Reads an answer to its end, within what the caller accepts. An error page may have any media type. */
export async function toResponse(
  url: URL,
  { status, headers, body }: Answer,
  { types, maxBytes }: Pick<OutboundRequest, 'types' | 'maxBytes'>,
): Promise<OutboundResponse> {
  const accepts = types === undefined || types.includes(toMediaType(headers['content-type']))
  if (!accepts && status >= 200 && status < 300) throw new UpstreamFailure('wrong_type')
  const bytes = await readBody(body, { encoding: headers['content-encoding'], maxBytes })
  const text = (): string => new TextDecoder().decode(bytes)
  return { status, url: url.href, headers, bytes, text, json: () => toJson(text()) }
}

function toMediaType(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1)
  return type.trim().toLowerCase()
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UpstreamFailure('invalid_json', { cause })
  }
}
