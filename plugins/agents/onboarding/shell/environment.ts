import { delimiter, dirname, isAbsolute } from 'node:path'
import { isInside } from '../files/guard.ts'

/** Returns the folders of a `PATH` that no site can write to; the folder of the running Node is included. */
export function programFolders(path: string, workspace: string): readonly string[] {
  const named = path.split(delimiter)
  const own = dirname(process.execPath)
  return [...(named.includes(own) ? [] : [own]), ...named].filter(
    (folder, at, all) => isAbsolute(folder) && !isInside(workspace, folder) && all.indexOf(folder) === at,
  )
}

export interface ChildEnvironment {
  /** The search path: the folders of `PATH` outside the workspace, and the folder of the running Node. */
  readonly folders: readonly string[]
  /** The workspace, above which git does not look for a repository. */
  readonly ceiling: string
  readonly home: string
  readonly lang: string
  /** A file with additional trusted certificates. */
  readonly certificates: string | undefined
}

/** Settings of git that take precedence over those of a repository, which may name programs. */
const gitSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.attributesFile=/dev/null',
  'credential.helper=',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
  'diff.ignoreSubmodules=all',
  'diff.autoRefreshIndex=false',
].map((each) => each.split('=', 2))

const gitVariables: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: String(gitSettings.length),
  ...Object.fromEntries(
    gitSettings.flatMap(([key = '', value = ''], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
}

/** Returns all variables of a child process, which inherits nothing else from this process. */
export function childVariables(
  { folders, ceiling, home, lang, certificates }: ChildEnvironment,
  more: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    PATH: folders.join(delimiter),
    HOME: home,
    TMPDIR: home,
    LANG: lang,
    CI: '1',
    npm_config_update_notifier: 'false',
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    GIT_CEILING_DIRECTORIES: ceiling,
    ...gitVariables,
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
    ...more,
  }
}
