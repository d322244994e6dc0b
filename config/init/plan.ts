import { join } from 'node:path'
import { readContentFile } from '../../plugins/site/files/content-file.ts'
import { CommandError } from '../command.ts'
import { planEnvFile } from '../env-file.ts'
import { messageOf } from '../explain.ts'
import type { Framework } from './framework.ts'
import { firstContent } from './home-page.ts'
import { lookAt } from './places.ts'
import type { Project } from './project.ts'
import { contentFile } from './source.ts'

/** One file that a website needs, and what becomes of it. */
export interface PlannedFile {
  /** From the folder of the project. */
  readonly path: string
  readonly action: 'create' | 'append' | 'skip'
  /** The text that is added; nothing where the file is there already. */
  readonly text: string
}

interface Wanted {
  readonly project: Project
  readonly framework: Framework
  readonly siteId: string
  readonly now: Date
}

/** Says which files there would be, and writes none. Refuses, as a CommandError, a place where none can be. */
export async function planFiles({ project, framework, siteId, now }: Wanted): Promise<readonly [route: PlannedFile, ...PlannedFile[]]> {
  const route = framework.routeFile(project)
  const publishOptions = await publishOptionsFor(project)
  return [
    await planNew(project, route, () => framework.route({ siteId, publishOptions })),
    await planNew(project, contentFile, () => `${JSON.stringify(firstContent(now), null, 2)}\n`),
    await planVariables(project, framework.variablesFile, framework.variables(siteId)),
  ]
}

async function planNew({ folder }: Project, path: string, text: () => string): Promise<PlannedFile> {
  for (const each of spellings(path)) {
    if ((await lookAt(folder, each)) !== 'nothing') return { path: each, action: 'skip', text: '' }
  }
  return { path, action: 'create', text: text() }
}

/** A route that is there in another language is there. */
function spellings(path: string): readonly string[] {
  const [, name = '', ending = ''] = /^(.*)\.(ts|js|mjs)$/.exec(path) ?? []
  return ending === '' ? [path] : [path, ...['ts', 'js', 'mjs'].filter((each) => each !== ending).map((each) => `${name}.${each}`)]
}

/** A content file keeps the shape that it has. */
async function publishOptionsFor({ folder }: Project): Promise<string> {
  const assetsDir = `assetsDir: 'public/generated-images'`
  if ((await lookAt(folder, contentFile)) !== 'file') return `{ ${assetsDir} }`
  try {
    const { shape } = await readContentFile(join(folder, contentFile))
    return shape === 'array' ? `{ ${assetsDir} }` : `{ shape: '${shape}', ${assetsDir} }`
  } catch (error) {
    throw new CommandError(messageOf(error), { cause: error })
  }
}

async function planVariables({ folder }: Project, path: string, wanted: Readonly<Record<string, string>>): Promise<PlannedFile> {
  const place = await lookAt(folder, path)
  if (place === 'something else') throw new CommandError(`${path} is no file; rename it and try again`)
  const { appended: text } = await planEnvFile(join(folder, path), wanted)
  if (text === '') return { path, action: 'skip', text }
  return { path, action: place === 'file' ? 'append' : 'create', text }
}
