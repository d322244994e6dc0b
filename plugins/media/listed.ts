/** What the lists of other services may contain. */
import * as v from 'valibot'

const maxLength = { address: 2_048, text: 300 }

/** A list without its invalid entries. Reads only the first entries, by default the maximum page size. */
export const listOf = <const S extends v.GenericSchema>(entry: S, most = 50) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((all) =>
      all
        .slice(0, most)
        .map((each) => v.safeParse(entry, each))
        .flatMap(({ success, output }): readonly v.InferOutput<S>[] => (success ? [output] : [])),
    ),
  )

/** A text that may be missing, as one line of at most 300 characters. */
export const oneLine = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((text) =>
    (text ?? '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxLength.text),
  ),
)

/**
 * True if a page or an editor may show an image from this address.
 *
 * That is an https URL without credentials, an http URL on `origin`, or with `paths` a path of the site;
 * without markup and spaces, and of at most 2,048 characters.
 */
export function mayShow(
  address: unknown,
  { origin, paths = false }: { readonly origin?: string; readonly paths?: boolean | undefined } = {},
): address is string {
  if (typeof address !== 'string' || address.length > maxLength.address) return false
  if (/[\s\p{Cc}"'<>\\`]/u.test(address)) return false
  if (paths && /^\/[^/]/.test(address)) return true
  const url = URL.parse(address)
  return (
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && url.origin === origin))
  )
}
