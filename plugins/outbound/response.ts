import { findJsonExcess } from '../../kernel/index.ts'
import { readBody } from './body.ts'
import type { Answer } from './client.ts'
import { UpstreamFailure, type OutboundRequest, type OutboundResponse } from './port.ts'

/** As much as the largest site has to say. */
const jsonLimits = { depth: 64, values: 1_000_000 }

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
  return { status, url: url.href, headers, bytes, text, json: () => toJson(bytes) }
}

function toMediaType(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1)
  return type.trim().toLowerCase()
}

function toJson(bytes: Uint8Array): unknown {
  try {
    const excess = findJsonExcess(bytes, jsonLimits)
    if (excess) throw new RangeError(`the JSON has more ${excess} than any site`)
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new UpstreamFailure('invalid_json', { cause })
  }
}
