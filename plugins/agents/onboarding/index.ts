import { join } from 'node:path'
import * as v from 'valibot'
import { clock, definePlugin, ids, optional } from '../../../kernel/index.ts'
import { agentLoop, streamRequired } from '../loop/port.ts'
import {
  accessSignal,
  cliDisabled,
  commandLinePermit,
  ProxyVariables,
  scopedTokens,
  shareHolder,
} from '../../auth/port.ts'
import { bus } from '../../bus/port.ts'
import { collectionsOfRuns, lastSeen } from '../../chat/streams/port.ts'
import { bootstrapDraft, drafts } from '../../draft/port.ts'
import { driveImages } from '../../media/gdrive/port.ts'
import { modelClients } from '../../models/port.ts'
import { AddressVariables, media, publicBase } from '../../media/port.ts'
import { outbound } from '../../outbound/port.ts'
import { pageCamera } from '../../preview/port.ts'
import { scope } from '../../scope/port.ts'
import { mountPath, sites } from '../../sites/port.ts'
import { store } from '../../store/port.ts'
import type { openAgent } from './open.ts'
import { ownCommand } from './port.ts'
import { routes } from './routes.ts'
import { Mode, modes } from './run/events.ts'
import { AnswersBody, Message } from './schemas.ts'
import { SitesAgentOptions, SitesAgentVariables } from './settings.ts'
import { isFolder, ownFolder } from './files/workspace.ts'
import { programPermissions } from './cli-backend.ts'
import { refusals } from './run/refusals.ts'

/** The onboarding agent: creates, migrates and integrates websites, with tools confined to its workspace. */
export default definePlugin({
  name: 'agents-onboarding',
  tag: 'Sites Agent',
  options: SitesAgentOptions,
  env: v.object({ ...SitesAgentVariables.entries, ...AddressVariables.entries, ...ProxyVariables.entries }),
  needs: {
    clock,
    ids,
    scope,
    sites,
    outbound,
    drafts,
    bootstrap: bootstrapDraft,
    loop: agentLoop,
    mayUseCli: commandLinePermit,
    tokens: scopedTokens,
    clients: modelClients,
    media: optional(media),
    camera: optional(pageCamera),
    drive: optional(driveImages),
    mountPath: optional(mountPath),
    ownCommand: optional(ownCommand),
    store,
    bus,
  },
  collections: Object.values(collectionsOfRuns('sites_agent')),
  routes,
}).setup(({ needs, options, env, shape, log }) => {
  const { clients, mountPath } = needs
  const folder = env.SITES_WORKSPACE_DIR ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'sites')
  const client = clients.find((each) => each?.provider === 'anthropic')
  let opening: Promise<Opened> | undefined
  /** The first request creates the workspace, which most services never need. Start opens an existing one. */
  const agent = () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  const open = async () => {
    const opened = await import('./open.ts')
    return opened.openAgent({
      ...needs,
      env,
      folder,
      client,
      log,
      settings: {
        ...options,
        orchestratorUrl: publicBase(env, { shape, mountPath }),
        editorOrigin: env.NEXT_PUBLIC_EDITOR_ORIGIN || undefined,
        draftSecret: env.DRAFT_MODE_SECRET || undefined,
        fullShell: env.AGENT_SHELL === 'full',
        ownCommand: needs.ownCommand,
      },
    })
  }

  return {
    handlers: {
      async start(call) {
        const message = v.safeParse(Message, call.body.message)
        if (!message.success) throw refusals.messageRequired()
        const mode = v.safeParse(v.optional(Mode), call.body.mode)
        if (!mode.success) throw refusals.invalidMode()
        const { session, locale, useCliAgent } = call.body
        if (useCliAgent) {
          if (!needs.mayUseCli) throw cliDisabled()
          if (!needs.ownCommand) throw refusals.cliUnavailable()
        } else {
          if (!client) throw refusals.notConfigured(noKey)
          // A program gets a token of its own, without the permissions that the caller lacks.
          call.caller.limits?.require('edit')
        }
        const { runs, hasCli } = await agent()
        if (useCliAgent && !(await hasCli())) throw refusals.notConfigured(noProgram(env.AGENT_CLI_COMMAND))
        const { limits, until } = call.caller
        const can = programPermissions.filter((permission) => !limits || limits.may(permission))
        const request = { message: message.output, session, locale, mode: mode.output, useCli: useCliAgent }
        const streamId = await runs.start({ ...request, can, until, signal: accessSignal(call.caller) })
        return { status: 200, body: { streamId } }
      },
      async stream(call) {
        const { streamId } = call.query
        if (!streamId) throw streamRequired('sites-agent')
        const { runs } = await agent()
        const holder = shareHolder(call, env.TRUST_PROXY)
        const reader = { afterSeq: lastSeen(call.header, call.query), holder, signal: call.signal }
        return { status: 200, body: await runs.follow(streamId, reader) }
      },
      async respond({ body: { streamId, answers, approvalId } }) {
        if (!streamId) throw streamRequired('sites-agent')
        const read = v.safeParse(AnswersBody, answers)
        if (!read.success) throw refusals.answersRequired()
        const { runs } = await agent()
        await runs.respond(streamId, { answers: read.output, approvalId })
        return { status: 200, body: { ok: true } }
      },
      async cancel({ body: { streamId } }) {
        if (!streamId) throw streamRequired('sites-agent')
        const { runs } = await agent()
        await runs.cancel(streamId)
        return { status: 200, body: { ok: true } }
      },
      async status({ query: { streamId } }) {
        const opened = await agent()
        if (streamId) return { status: 200, body: await opened.runs.status(streamId) }
        const backends = {
          api: client !== undefined,
          cli: needs.mayUseCli && needs.ownCommand !== undefined && (await opened.hasCli()),
        }
        return { status: 200, body: statusOf(opened, backends, env.SITES_AGENT_MAX_CONCURRENT) }
      },
    },
    async ready() {
      if (await isFolder(join(folder, ownFolder))) await agent()
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.runs.close()
      await opened?.servers.close()
    },
  }
})

type Opened = Awaited<ReturnType<typeof openAgent>>

/** What the agent can do, and what it does now. */
function statusOf(
  { runs, isolation, limits, servers }: Opened,
  backends: { readonly api: boolean; readonly cli: boolean },
  maxConcurrent: number,
) {
  const available = backends.api || backends.cli
  return {
    available,
    backends,
    active: runs.active(),
    maxConcurrent,
    modes: [...modes],
    isolation,
    limits,
    servers: servers.running().map(({ siteId, url }) => ({ siteId, url })),
    ...(!available && { reason: noKey }),
  }
}

const noKey = 'The onboarding agent needs a model. Set ANTHROPIC_API_KEY, and restart.'
const noProgram = (name: string): string =>
  `The program ${name} is not installed. Install it, or set AGENT_CLI_COMMAND to another one.`
