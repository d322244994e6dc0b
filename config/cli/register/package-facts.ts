import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { isPlainObject } from '../../../plugins/content/plain-object.ts'
import { toTitle } from '../../../plugins/sites/names.ts'
import { CommandError } from '../shared/command.ts'
import { isMissing, messageOf } from '../../explain.ts'
import { toSiteId } from '../../../plugins/sites/site-id.ts'

/** What the package.json of a website tells about it; each may be missing. */
export interface PackageFacts {
  readonly name?: string
  readonly siteId?: string
  /** The port that its script `dev` names, else the one of its framework where that is not the usual one. */
  readonly port?: number
}

const text = v.fallback(v.optional(v.string()), undefined)
const names = v.fallback(v.record(v.string(), v.unknown()), {})
const Package = v.pipe(
  v.custom<object>(isPlainObject),
  v.object({
    name: text,
    scripts: v.fallback(v.optional(v.object({ dev: text })), undefined),
    dependencies: v.optional(names, {}),
    devDependencies: v.optional(names, {}),
  }),
)

/** Reads the package.json of a folder; one that is missing has no facts. Refuses one that is not a package.json. */
export async function readPackage(folder: string): Promise<PackageFacts> {
  const file = join(folder, 'package.json')
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error, file)) return {}
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`)
  }
  const { success, output } = v.safeParse(Package, parse(content))
  if (!success) throw new CommandError(`${file} is not a JSON object; correct it, or name another folder with --cwd`)
  const siteId = toSiteId(output.name ?? '')
  const usesAstro = 'astro' in { ...output.dependencies, ...output.devDependencies }
  const port = portOf(output.scripts?.dev ?? '') ?? (usesAstro ? 4321 : undefined)
  return { ...(siteId && { name: toTitle(siteId), siteId }), ...(port !== undefined && { port }) }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, '')) as unknown
  } catch {
    return undefined
  }
}

/** `next dev -p 3001` says 3001; a port that is none says nothing. */
function portOf(script: string): number | undefined {
  const words = script.replaceAll(/\s+/g, ' ')
  const port = Number(/(?:^|\s)(?:-p|--port)[\s=]["']?(\d{1,5})(?!\S*[\w.])/.exec(words)?.[1])
  return port >= 1 && port <= 65_535 ? port : undefined
}
