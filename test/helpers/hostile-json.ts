/** Bodies that must not reach a handler, by name, each with the reason of its refusal. */
type Bodies<B> = Readonly<Record<string, readonly [body: B, reason: RegExp]>>

/** Text that is nested `depth` times. */
export const nested = (depth: number, inner = '', open = '[', close = ']'): string =>
  open.repeat(depth) + inner + close.repeat(depth)
const bytes = (...codes: readonly number[]): Uint8Array => new Uint8Array(codes)
const [tooDeep, tooLarge] = [/nested deeper than 64 levels/, /number too large/]
const [half, halfKey] = [/half of a surrogate pair/, /key with half of a surrogate pair/]
const [notJson, notUtf8] = [/^The body is not JSON/, /^The body is not JSON in UTF-8\.$/]
const notJsonAt = (place: number) => new RegExp(`^The body is not JSON: look at character ${place}\\.$`)

/** JSON that handlers could not trust. */
export const hostileJson: Bodies<string> = {
  'a list 500,000 deep': [nested(500_000), tooDeep],
  'a list one deeper than allowed': [nested(65), tooDeep],
  'an object one deeper than allowed': [nested(64, '{}'), tooDeep],
  'an object 100,000 deep': [nested(100_000, '1', '{"a":', '}'), tooDeep],
  'objects and lists 80,000 deep': [nested(80_000, '1', '[{"a":', '}]'), tooDeep],
  'a number beyond the largest': ['1e400', tooLarge],
  'a number with a million digits': ['9'.repeat(900_000), tooLarge],
  'a number below the smallest, deep inside': ['{"a":[{"b":-1e999}]}', tooLarge],
  'half a surrogate pair': [String.raw`"\ud800"`, half],
  'two halves in the wrong order': [String.raw`["x\udc00\ud800"]`, half],
  'a key with half a surrogate pair': [String.raw`{"\udbff":1}`, halfKey],
  'the key __proto__': ['{"__proto__":{"canary":1}}', /the key '__proto__', which is not allowed/],
  'the key __proto__ in escapes': [String.raw`{"\u005f\u005fproto\u005f\u005f":{"canary":1}}`, /'__proto__'/],
  'the key constructor, deep inside': ['[[{"constructor":{"prototype":{"canary":1}}}]]', /'constructor'/],
  'the key prototype': ['{"prototype":1}', /the key 'prototype'/],
}

/** Bodies that are not JSON. */
export const brokenJson: Bodies<string | Uint8Array> = {
  nothing: ['', /^The body is empty\. Send a JSON value\.$/],
  'nothing but blanks': [' \r\n\t', notJson],
  'a beginning without an end': ['{', notJsonAt(1)],
  'an end without a beginning': ['}', notJson],
  'half an object': ['{"session":"dev"', notJson],
  'half a word': ['{"a":tru', notJson],
  'a comma too many': ['{"a":1,}', notJsonAt(7)],
  'two values': ['[1] [2]', notJsonAt(4)],
  'a comment': ['{}/* */', notJson],
  'single quotes': ["{'session':'dev'}", notJsonAt(1)],
  'a number that begins with a zero': ['01', notJson],
  'a number of JavaScript': ['NaN', notJson],
  'a word of JavaScript': ['{"session":undefined}', notJson],
  'a line break inside a text': ['{"session":"d\nev"}', notJson],
  'a zero byte': ['{"session":"dev"}\0', notJson],
  'a byte that begins nothing': [bytes(0x22, 0xff, 0x22), notUtf8],
  'UTF-16': [bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), notUtf8],
  'UTF-16 without a mark': [bytes(0x7b, 0x00, 0x7d, 0x00), notJson],
  'a slash in too many bytes': [bytes(0x22, 0xc0, 0xaf, 0x22), notUtf8],
  'a surrogate in UTF-8': [bytes(0x22, 0xed, 0xa0, 0x80, 0x22), notUtf8],
  'a byte order mark and nothing else': [bytes(0xef, 0xbb, 0xbf), notJson],
}
