import { join } from 'node:path'
import { systemClock } from '../../../kernel/index.ts'
import { CommandError, defineCommand } from '../shared/command.ts'
import { messageOf } from '../../explain.ts'
import { addToEnvFile, planEnvFile, readEnvFile, variablesIn } from '../../../plugins/sites-agent/install/env-file.ts'
import { isSeenByGit } from './git-ignored.ts'
import { toJsonReport, toReport } from './report.ts'
import { chooseSecret } from './secret.ts'
import { openDraft, type Tried } from './open-draft.ts'
import { mayCall, send } from './send.ts'
import { readWishes, wishFlags, type Wishes } from './wishes.ts'
import { isLocal } from '../../values.ts'
import { jsonFlag } from '../shared/flags.ts'

const patience = 10_000
/** Milliseconds that a site may take to notice a change of .env.local. */
const longestReload = 3_000

export const register = defineCommand({
  name: 'register',
  word: 'register',
  summary: 'Registers the website in this folder with an orchestrator, completes its .env.local, and opens its draft.',
  flags: {
    ...wishFlags,
    'dry-run': { help: 'Calls nothing and writes nothing; shows what would be.' },
    'no-write': { help: 'Registers, and writes nothing.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const wishes = await readWishes(given, io)
    const file = join(wishes.folder, '.env.local')
    const [isDry, writes] = [given.has('dry-run'), !given.has('no-write')]
    const text = await readEnvFile(file)
    const secret = chooseSecret({
      given: wishes.secret,
      inFile: variablesIn(text).get('DRAFT_MODE_SECRET'),
      canKeep: writes,
    })
    const wanted = variablesOf(wishes, secret.value)
    const plan = await planEnvFile(file, wanted)
    const timeoutMs = io.patience ?? patience
    const { status, warnings } = isDry
      ? { status: 'dry-run', warnings: [] }
      : await send(wishes, { secret: secret.value, timeoutMs })
    const open = async (reloadMs: number): Promise<Tried | undefined> =>
      isDry || secret.value === undefined ? undefined : openDraft(wishes, { secret: secret.value, now: systemClock.now(), timeoutMs, reloadMs })
    const before = await open(0)
    const merged = writes && !isDry ? await write(file, wanted) : plan
    // A site that is up may read the file anew, and some start again for that.
    const draft = writes && merged.added.includes('DRAFT_MODE_SECRET') && before?.state !== 'down' ? await open(longestReload) : before
    const isExposed = writes && (await isSeenByGit(file, io.environment()))
    const { origin } = new URL(wishes.previewUrl)
    // Outside production registering is enough, and what is shown on this machine is seldom in production.
    const isForeign = !isDry && !isLocal(origin) && !(await mayCall(origin, wishes, timeoutMs))
    const outcome = {
      wishes,
      status,
      secret: secret.source,
      file,
      isNewFile: text === '',
      merged,
      writes,
      warnings: [...warnings, ...(isForeign ? [foreign(origin)] : []), ...(isExposed ? [exposed] : [])],
      draft,
    }
    io.line(given.has('json') ? toJsonReport(outcome) : toReport(outcome))
    return 0
  },
})

const foreign = (origin: string): string =>
  `The orchestrator refuses pages of ${origin}, so no draft page follows changes and nothing is published there; add it to ORCHESTRATOR_CORS_ORIGINS of the orchestrator.`
const exposed = 'Git does not ignore .env.local, which holds a secret; add it to .gitignore.'

/** What a site needs to know; a secret that is not set is left out. */
const variablesOf = (
  { orchestrator, siteId, name, editorOrigin }: Wishes,
  secret: string | undefined,
): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestrator,
  ...(secret !== undefined && { DRAFT_MODE_SECRET: secret }),
  NEXT_PUBLIC_DEFAULT_SITE_ID: siteId,
  NEXT_PUBLIC_SITE_NAME: name,
  NEXT_PUBLIC_EDITOR_ORIGIN: editorOrigin,
})

const write = (file: string, wanted: Readonly<Record<string, string>>) =>
  addToEnvFile(file, wanted).catch((error: unknown) => {
    const why = messageOf(error).replace(/\.$/, '')
    throw new CommandError(`The site is registered, but its file is not complete: ${why}. Then run this again.`)
  })
