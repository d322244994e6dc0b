import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../files/guard.ts'

export interface ChildEnvironment {
  /** Where programs are looked for: the folders of `PATH` that lie outside of the workspace, and that of the running Node. */
  readonly folders: readonly string[]
  readonly home: string
  readonly cache: string
  readonly lang: string
  /** A file with further certificates to trust. */
  readonly certificates: string | undefined
}

/** Folders of a `PATH` in which no site can put a program; that of the running Node comes first where it is not named. */
export function programFolders(path: string, workspace: string): readonly string[] {
  const named = path.split(delimiter)
  const own = dirname(process.execPath)
  return [...(named.includes(own) ? [] : [own]), ...named].filter((folder, at, all) => isAbsolute(folder) && !isInside(workspace, folder) && all.indexOf(folder) === at)
}

/** All variables that a child gets: nothing of this process reaches it otherwise. */
export function childVariables({ folders, home, cache, lang, certificates }: ChildEnvironment, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    PATH: folders.join(delimiter),
    HOME: home,
    TMPDIR: home,
    LANG: lang,
    CI: '1',
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
    ...more,
  }
}

/** The file of a program; `undefined` where no folder has it. */
export async function findProgram(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name)
    if (await access(file, constants.X_OK).then(() => true, () => false)) return file
  }
  return undefined
}
