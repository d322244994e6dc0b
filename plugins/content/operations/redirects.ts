import { redirectEdits } from '../redirect-edits.ts'
import { redirectsKey, redirectsOf, type Redirects } from '../redirects.ts'
import { canonicalSlug, slugSpellings } from '../slugs.ts'
import { violates } from './refuse.ts'
import { type BatchState, configOf, hasSlug, spend } from './state.ts'
import { newSlug } from './target.ts'

/** Sets or, with an empty target, removes redirects; refuses those of pages, circles, and sites that take none. */
export function setRedirects(state: BatchState, wanted: Redirects, path: string): void {
  const before = redirectsOf(configOf(state)) ?? violates(path, takesNone)
  const edits = redirectEdits(before, (steps) => spend(state, steps))
  for (const [from, to] of Object.entries(wanted)) {
    const place = `${path}[${JSON.stringify(from)}]`
    if (to === '') {
      edits.remove(from)
      continue
    }
    const slug = newSlug(from, place)
    if (slugSpellings(slug).some((each) => hasSlug(state, each)))
      violates(place, `there is a page ${slug}; rename or remove it first`)
    const target = addressOf(to, place)
    if (!edits.add(slug, target)) violates(place, `${target} leads back to ${slug}`)
  }
  state.config = { ...configOf(state), [redirectsKey]: edits.result() }
}

const takesNone =
  'this site takes no redirects: its GET /api/editor/pages answers no list of them; ' +
  'update its packages, or redirect where its code does'

/** A path of the site in canonical form, with its query and fragment. */
function addressOf(to: string, place: string): string {
  const [path = ''] = to.split(/[?#]/, 1)
  const slug = /^\/(?!\/)/.test(path) ? canonicalSlug(path) : undefined
  return slug === undefined
    ? violates(place, `'${to}' is not an address of this site; wanted a path such as /about or /about#team`)
    : slug + to.slice(path.length)
}
