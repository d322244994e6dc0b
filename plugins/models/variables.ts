import * as v from 'valibot'
import { withoutTrailingSlash } from '../../kernel/index.ts'

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
/** The base address of a provider. */
export const AddressVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    isBaseUrl,
    'must be an address that begins with https:// or http://, without credentials, a query or a fragment',
  ),
  v.transform(withoutTrailingSlash),
)

/** A key for a header value: a line break or another invisible character is a copying mistake. */
export const KeyVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => /^[\x21-\x7e]*$/.test(text),
    'must be one word of printable ASCII characters; copy it again',
  ),
)
