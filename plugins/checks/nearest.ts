/** Slugs that a broken link may have meant. */
export interface Nearest {
  /** The only slug that differs by case, slashes or one edit. */
  readonly sure: string | undefined
  /** At most three that share its first or its last segment. */
  readonly close: readonly string[]
}

const mostAsked = 200

/**
 * Makes what finds the slugs that a path may have meant. Slugs are looked up by what is left of them without one
 * character, so that a lookup does not grow with their number; after 200 different paths it finds nothing more.
 */
export function nearestSlugs(slugs: readonly string[]): (path: string) => Nearest {
  const byForm = new Map<string, Set<string>>()
  const bySegment = new Map<string, string[]>()
  const add = (form: string, slug: string): void => {
    const known = byForm.get(form)
    if (known) known.add(slug)
    else byForm.set(form, new Set([slug]))
  }
  for (const slug of slugs) {
    const form = formOf(slug)
    for (const each of [form, ...shorter(form)]) add(each, slug)
    for (const segment of endsOf(form)) bySegment.set(segment, [...(bySegment.get(segment) ?? []), slug].slice(0, 3))
  }
  const asked = new Map<string, Nearest>()

  return (path) => {
    const known = asked.get(path)
    if (known) return known
    if (asked.size === mostAsked) return nothing
    const form = formOf(path)
    const found = new Set([form, ...shorter(form)].flatMap((each) => [...(byForm.get(each) ?? [])]).filter((slug) => isOneEdit(formOf(slug), form)))
    const close = new Set([...found, ...endsOf(form).flatMap((segment) => bySegment.get(segment) ?? [])])
    const nearest = { sure: found.size === 1 ? [...found][0] : undefined, close: [...close].slice(0, 3) }
    asked.set(path, nearest)
    return nearest
  }
}

const nothing: Nearest = { sure: undefined, close: [] }
const longest = 100

const formOf = (path: string): string => `/${path.toLowerCase().split('/').filter(Boolean).join('/')}`
const shorter = (form: string): readonly string[] => (form.length > longest ? [] : Array.from(form, (_, index) => form.slice(0, index) + form.slice(index + 1)))

function endsOf(form: string): readonly string[] {
  const segments = form.split('/').filter(Boolean)
  return [...new Set([segments.at(0), segments.at(-1)])].filter((segment) => segment !== undefined)
}

/** True for texts that are the same but for one character that was added, left out, replaced, or swapped with the next. */
function isOneEdit(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB) return true
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]
}
