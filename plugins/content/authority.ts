import type { BlockType, KnownTypes, Source } from './model.ts'

/** The declaration of a block type, open or not: that of the site, else of the registry. */
export function declaredType(type: string, { registry, manifest }: KnownTypes): BlockType | undefined {
  return manifest?.get(type) ?? registry.get(type)
}

/**
 * Decides which rules apply to a block type: those of the manifest in the request, else of the registry; or says
 * why there are none, and which types would have been accepted.
 *
 * A manifest leaves the header and footer to the registry, and closes every other type that it does not
 * declare. Operations that add, move, copy or remove blocks refuse chrome types separately.
 */
export function authorityOf(type: string, { registry, manifest }: KnownTypes) {
  const declared = manifest?.get(type)
  if (declared) return { ok: true, by: 'manifest', blockType: declared } as const
  const registered = registry.get(type)
  const isOpen = !manifest || registered?.chrome
  if (registered && isOpen) return { ok: true, by: 'registry', blockType: registered } as const
  const admissible = (manifest ?? registry).types().map((known) => known.type)
  const message = manifest
    ? `the manifest of this site does not declare block type '${type}'; ${oneOf(admissible)}`
    : `unknown block type '${type}'; ${oneOf(admissible)}, or send the manifest that declares it`
  return { ok: false, category: manifest ? 'not_found' : 'schema_violation', message, admissible } as const
}

/**
 * Whether every violation of a schema is refused; else only those of its structure, and the others are noted.
 *
 * A plan has to satisfy a site's manifest completely, but in a person's own edit, and in one that the system makes,
 * its limits are advice.
 */
export const isStrict = (by: 'manifest' | 'registry', source: Source): boolean =>
  by === 'registry' || source === 'planner'

const oneOf = (types: readonly string[]) =>
  types.length === 0 ? 'there is none yet' : `use one of ${types.join(', ')}`
