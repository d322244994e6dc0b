import { createHash } from 'node:crypto'
import {
  canFind,
  endLeftovers,
  findProgram,
  findTracker,
  isAlive,
  isComplete,
  ownerOf,
} from '../../processes/port.ts'
import { type AgentLog, openAgentLog } from './files/agent-log.ts'
import { Journals } from './files/journal.ts'
import { openWorkspace } from './files/workspace.ts'
import { createSitesAgent } from './service.ts'
import { findBox } from './shell/box.ts'
import { createLaunchers, usualLimits } from './shell/launcher.ts'
import { programFolders } from './shell/environment.ts'
import { Servers } from './shell/servers.ts'
import type { AgentParts } from './work.ts'

interface Opening extends Omit<
  AgentParts,
  'workspace' | 'journals' | 'agentLog' | 'launchers' | 'servers' | 'owner'
> {
  /** The folder of the workspace. */
  readonly folder: string
}

/** Opens the workspace, and ends processes, runs and applies that a killed service left behind. */
export async function openAgent({ folder, ...parts }: Opening) {
  const { clock, log, outbound, env } = parts
  const workspace = await openWorkspace(folder)
  const agentLog = openAgentLog(workspace, clock)
  const mark = {
    workspace: createHash('sha256').update(workspace.root).digest('hex').slice(0, 16),
    owner: await ownerOf(process.pid),
  }
  const started = await workspace.own('processes')
  const count = await endLeftovers(started, mark.workspace)
  if (count > 0) log.warn({ count }, 'ended processes that an earlier onboarding agent left behind')
  const journals = new Journals({ workspace, owner: mark.owner, isAlive, log })
  await journals.recover()
  for (const stream of await closeInterrupted(agentLog)) await workspace.removeRun(stream)
  const folders = programFolders(env.PATH, workspace.root)
  const environment = { folders, lang: env.LANG, certificates: env.NODE_EXTRA_CA_CERTS }
  const { owner } = mark
  const tracker = await findTracker(folders, { folder: started, owner })
  const launchers = createLaunchers({
    workspace,
    environment,
    box: await findBox(folders, await workspace.own('empty')),
    mark,
    tracker,
    log: agentLog,
  })
  const servers = new Servers({ workspace, outbound })
  const runs = createSitesAgent({
    ...parts,
    workspace,
    journals,
    agentLog,
    launchers,
    servers,
    owner: mark.owner,
  })
  if (parts.settings.fullShell)
    log.warn({ variable: 'AGENT_SHELL' }, 'the onboarding agent may run shell commands')
  return {
    runs,
    servers,
    isolation: launchers.isolation,
    limits: {
      processes: canFind ? usualLimits.processes : null,
      endsLeftovers: canFind,
      tracking: tracker.tracking,
      endsAll: isComplete(tracker),
    },
    hasCli: async (): Promise<boolean> => (await findProgram(env.AGENT_CLI_COMMAND, folders)) !== undefined,
  }
}

/** Logs runs of ended services as interrupted; returns their streams. */
async function closeInterrupted(log: AgentLog): Promise<readonly string[]> {
  const open = new Map<string, string>()
  for (const line of await log.tail()) {
    if (line['kind'] === 'run_started' && typeof line['owner'] === 'string')
      open.set(line.stream, line['owner'])
    if (line['kind'] === 'run') open.delete(line.stream)
  }
  const closed: string[] = []
  for (const [stream, owner] of open) {
    if (await isAlive(owner)) continue
    await log.append({ stream, kind: 'run', status: 'interrupted' })
    closed.push(stream)
  }
  return closed
}
