import { Transform, type TransformCallback } from 'node:stream'

/** What may be before the head of a page. The bytes are read as Latin-1, in which a byte is a character. */
const attributes = String.raw`(?:[\s/](?:"[^"]*"|'[^']*'|[^>"'])*)?`
const before = new RegExp(
  String.raw`(?:[\t\n\f\r ]|ï»¿|<!--[^]*?-->|<!doctype[^>]*>|<\?[^>]*>|<html${attributes}>)*`,
  'iy',
)
const head = new RegExp(`<head${attributes}>`, 'iy')
/** The start of one of them, which is not complete. */
const partial =
  /^(?:ï?|ï»|<|<!(?:-?|--[^]*|d\w{0,6}|doctype[^>]*)|<\?[^>]*|<(?:h|ht|htm|he|hea)|<(?:html|head)(?:[\s/][^]*)?)$/i

/** A page whose head has not started by then gets the script where it is. */
const mostBytes = 64 * 1024

/**
 * Creates a stream that inserts a text as the first child of the head of a page, which passes through as it
 * arrives. A page without a head gets it where a browser begins one; `needsHead` leaves such a text as it is.
 * `empty` takes the place of a page without a byte, by default none.
 */
export function insertInHead(
  text: string,
  { needsHead, empty = '' }: { readonly needsHead: boolean; readonly empty?: string },
): Transform {
  let open: Buffer | undefined = Buffer.alloc(0)
  const insert = (isLast: boolean): Buffer | undefined => {
    const bytes = open ?? Buffer.alloc(0)
    const page = bytes.toString('latin1')
    before.lastIndex = 0
    const start = before.exec(page)?.[0].length ?? 0
    head.lastIndex = start
    const found = head.exec(page)
    const isCut = partial.test(page.slice(start)) && bytes.length < mostBytes
    if (!found && isCut && !isLast) return undefined
    if (!found && needsHead) return bytes
    const at = start + (found?.[0].length ?? 0)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)])
  }
  return new Transform({
    transform(chunk: Buffer, _, done: TransformCallback) {
      if (open === undefined) return done(null, chunk)
      open = Buffer.concat([open, chunk])
      const inserted = insert(false)
      if (inserted) open = undefined
      done(null, inserted)
    },
    flush(done) {
      if (open?.length === 0) done(null, empty)
      else done(null, open && insert(true))
    },
  })
}
