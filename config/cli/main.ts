import { styleText } from 'node:util'
import { BootError, createRedactor } from '../../kernel/index.ts'
import { version } from '../../kernel/package-info.ts'
import { SiteFilesError } from '../../plugins/agents/scaffold/port.ts'
import { currentEnvironment, readEnvironment } from '../env.ts'
import { hint } from '../../kernel/nearest.ts'
import { secretValues } from '../secrets.ts'
import {
  type Command,
  CommandError,
  drawHelp,
  helpOf,
  type Io,
  parseArguments,
  UsageError,
} from './shared/command.ts'

/** All commands in the order of the help; each is imported when called. */
const imports: Readonly<Record<string, () => Promise<Command>>> = {
  edit: async () => (await import('./edit/index.ts')).edit,
  serve: async () => (await import('./serve/index.ts')).serve,
  init: async () => (await import('./init.ts')).init,
  register: async () => (await import('./register/index.ts')).register,
  mcp: async () => (await import('./mcp.ts')).mcp,
  routes: async () => (await import('./show.ts')).routes,
  plan: async () => (await import('./show.ts')).plan,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor/index.ts')).doctor,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  migrate: async () => (await import('./migrate.ts')).migrate,
  copy: async () => (await import('./copy.ts')).copy,
  openapi: async () => (await import('./show.ts')).openapi,
  redirects: async () => (await import('./redirects.ts')).redirects,
  'hash-password': async () => (await import('./hash-password.ts')).hashPassword,
  'token create': async () => (await import('./token.ts')).tokenCreate,
  'token list': async () => (await import('./token.ts')).tokenList,
  'token revoke': async () => (await import('./token.ts')).tokenRevoke,
}

const commandNames: readonly string[] = Object.keys(imports)

/** Milliseconds until the process exits, even if a plugin left something running. */
const exitAfterMs = 1000

/** Runs the command line of this process, started as `file`, and sets its exit code. */
export async function main(args: readonly string[], file: string): Promise<void> {
  process.exitCode = await runCommandLine(args, processIo(file))
  setTimeout(() => process.exit(), exitAfterMs).unref()
}

/** Runs one command line and returns its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  try {
    return (await run(args, io)) ?? 0
  } catch (error) {
    if (error instanceof UsageError) io.printError(`${error.message}\nSee npx content-orchestrator --help.`)
    else if (error instanceof BootError || error instanceof CommandError || error instanceof SiteFilesError)
      io.printError(error.message)
    else io.printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(words: readonly string[], io: Io): Promise<number | void> {
  const isHelp = words[0] === 'help'
  const [name, ...args] = joinSubcommand(isHelp ? words.slice(1) : words)
  if (name === undefined || name === '--help' || name === '-h') return io.print(await help())
  if (name === '--version' || name === '-v' || args.includes('--version')) return io.print(version)
  const command = Object.hasOwn(imports, name) ? await imports[name]?.() : undefined
  const wantsHelp = isHelp || args.includes('--help') || args.includes('-h')
  if (!command) {
    const subcommands = commandNames.filter((each) => each.startsWith(`${name} `))
    if (subcommands.length > 0 && wantsHelp) return io.print(await help(subcommands))
    if (subcommands.length > 0)
      throw new UsageError(`'${name}' needs a subcommand: ${subcommands.join(', ')}`)
    throw new UsageError(`unknown command '${name}'${hint(name, commandNames)}`)
  }
  if (wantsHelp) return io.print(helpOf(command))
  const { given, operand } = parseArguments(command, args)
  return command.run(given, io, operand)
}

/** Joins the first two arguments if they are the name of a command. */
const joinSubcommand = (words: readonly string[], name = words.slice(0, 2).join(' ')): readonly string[] =>
  commandNames.includes(name) ? [name, ...words.slice(2)] : words

async function help(names = commandNames): Promise<string> {
  const commands = await Promise.all(names.flatMap((name) => imports[name]?.() ?? []))
  return [
    'Usage: npx content-orchestrator <command> [flags]',
    '',
    'Commands:',
    ...drawHelp(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    'npx content-orchestrator help COMMAND lists the flags of a command,',
    'npx content-orchestrator --version prints the version.',
  ].join('\n')
}

function processIo(file: string): Io {
  const { stdout, stderr, stdin } = process
  // A reader such as `head` may stop early: the rest is dropped.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    command: [process.execPath, file],
    cwd: process.cwd(),
    environment: () => readEnvironment(process.cwd()),
    write: (text) => void stdout.write(text),
    print: (text) => void stdout.write(`${text}\n`),
    printError: (text) => void stderr.write(`${createRedactor(secretValues(currentEnvironment()))(text)}\n`),
    isTerminal: stdout.isTTY === true,
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    stdin,
  }
}
