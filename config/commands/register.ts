import { join } from 'node:path'
import { CommandError, defineCommand } from '../command.ts'
import { messageOf } from '../explain.ts'
import { addToEnvFile, planEnvFile, readEnvFile, variablesIn } from '../env-file.ts'
import { isSeenByGit } from '../register/git-ignored.ts'
import { toJsonReport, toReport } from '../register/report.ts'
import { chooseSecret } from '../register/secret.ts'
import { send } from '../register/send.ts'
import { readWishes, wishFlags, type Wishes } from '../register/wishes.ts'
import { jsonFlag } from './shared-flags.ts'

const patience = 10_000

export const register = defineCommand({
  name: 'register',
  word: 'register',
  summary: 'Registers the website in this folder with an orchestrator, and completes its .env.local.',
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
    const before = await readEnvFile(file)
    const secret = chooseSecret({
      given: wishes.secret,
      inFile: variablesIn(before).get('DRAFT_MODE_SECRET'),
      canKeep: writes,
    })
    const wanted = variablesOf(wishes, secret.value)
    const plan = await planEnvFile(file, wanted)
    const { status, warnings } = isDry
      ? { status: 'dry-run', warnings: [] }
      : await send(wishes, { secret: secret.value, timeoutMs: io.patience ?? patience })
    const merged = writes && !isDry ? await write(file, wanted) : plan
    const isExposed = writes && (await isSeenByGit(file, io.environment()))
    const outcome = {
      wishes,
      status,
      secret: secret.source,
      file,
      isNewFile: before === '',
      merged,
      writes,
      warnings: [...warnings, ...(isExposed ? [exposed] : [])],
    }
    io.line(given.has('json') ? toJsonReport(outcome) : toReport(outcome))
    return 0
  },
})

const exposed = 'Git does not ignore .env.local, which holds a secret; add it to .gitignore.'

/** What a site needs to know; a secret that nobody has is not among it. */
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
