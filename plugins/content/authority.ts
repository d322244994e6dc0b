import type { BlockType, KnownTypes, Source } from './model.ts'

/** Returns the declaration of a block type, open or not: the site's, else the registry's. */
export function declaredType(type: string, { registry, manifest }: KnownTypes): BlockType | undefined {
  return manifest?.get(type) ?? registry.get(type)
}

/**
 * Returns the rules for a block type, from the manifest of the request or else the registry; or the reason
 * why there are none, with the accepted types.
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
 * Whether every schema violation is refused; otherwise only structural ones are, and the others are noted.
 *
 * A plan must satisfy a site's manifest completely; for edits by people and by the system its limits are
 * advice.
 */
export const isStrict = (by: 'manifest' | 'registry', source: Source): boolean =>
  by === 'registry' || source === 'planner'

const oneOf = (types: readonly string[]) =>
  types.length === 0 ? 'there is none yet' : `use one of ${types.join(', ')}`
