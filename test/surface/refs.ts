import { globSync, readFileSync } from 'node:fs'
import { createKernel, createLogger, type ServiceRef, type SlotRef } from '../../kernel/index.ts'
import site from '../../plugins/site/index.ts'
import { doors, pathOf } from './doors.ts'
import { builtinPlugins } from './environment.ts'
import { toMarkdown } from './markdown.ts'

type Ref = ServiceRef<unknown> | SlotRef<unknown>

/** A ref that the package exports. */
export interface PublicRef {
  /** As code writes it: `drafts`, `gates.access`. */
  readonly name: string
  /** Such as `content-orchestrator/plugins/draft`. */
  readonly address: string
  readonly ref: Ref
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isRef = (value: unknown): value is Ref =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  (value['kind'] === 'service' || value['kind'] === 'slot')

/** Every exported ref of the package, directly or in an object of refs. */
export async function publicRefs(): Promise<readonly PublicRef[]> {
  const found: PublicRef[] = []
  for (const { address, file } of doors()) {
    const module: Readonly<Record<string, unknown>> = await import(pathOf(file))
    for (const [name, value] of Object.entries(module)) {
      if (isRef(value)) found.push({ name, address, ref: value })
      else if (isObject(value) && Object.values(value).every(isRef)) {
        for (const [key, ref] of Object.entries(value))
          if (isRef(ref)) found.push({ name: `${name}.${key}`, address, ref })
      }
    }
  }
  return found
}

const declaration =
  /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?(?:export const \w+ = (?:service|slot)<([^\n]*)>\('([\w.-]+)'\)|  \w+: gate\('([\w-]+)'\))/g
const firstSentence = (comment: string): string =>
  /^.*?\.(?=\s|$)/.exec(comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim())?.[0] ?? ''

/** The description of each ref by id, from its comment or that of its type. */
function effects(): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const file of globSync('{kernel,plugins}/**/*.ts', { cwd: pathOf('.') })) {
    const text = readFileSync(pathOf(file), 'utf8')
    for (const [, comment, type, id, gate] of text.matchAll(declaration)) {
      const onType = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport interface ${type} `).exec(text)?.[1]
      known.set(id ?? `gate.${gate}`, firstSentence(comment ?? onType ?? ''))
    }
  }
  return known
}

/** The plugins that give a service or read a slot, otherwise the kernel or the host. */
async function partners(): Promise<(ref: Ref) => string> {
  const plugins = [...(await builtinPlugins()), site]
  const bare = await createKernel({
    shape: 'standalone',
    plugins: [],
    env: {},
    log: createLogger({ level: 'silent' }),
  })
  const isKernels = (ref: Ref): boolean => {
    if (ref.kind === 'slot') return true
    try {
      bare.get(ref)
      return true
    } catch {
      return false
    }
  }
  return (ref) => {
    const end = ref.kind === 'slot' ? 'needs' : 'gives'
    const names = plugins
      .filter((plugin) => Object.values(plugin[end]).some(({ id }) => id === ref.id))
      .map(({ name }) => `\`${name}\``)
    return names.join(', ') || (isKernels(ref) ? 'the kernel' : 'the host')
  }
}

/** Every public ref, as a table. */
export async function refsTable(): Promise<string> {
  const [known, partnersOf] = [effects(), await partners()]
  const rows = (await publicRefs()).map(({ name, address, ref }) => {
    const effect = known.get(ref.id)
    if (!effect)
      throw new Error(
        `the ref ${name} has no comment, and neither has its type: say in a sentence what it is`,
      )
    const role = `${ref.kind}, ${ref.kind === 'slot' ? 'read' : 'given'} by ${partnersOf(ref)}`
    return [`\`${name}\``, `\`${address.replace(/^content-orchestrator\//, '')}\``, role, effect]
  })
  return toMarkdown(['Ref', 'Import from', 'Kind', 'What it is'], rows)
}
