import { styleText } from 'node:util'
import { BootError, createRedactor } from '../../kernel/index.ts'
import { version } from '../../kernel/package-info.ts'
import { CommandError, UsageError, drawHelp, helpOf, readFlags } from './shared/command.ts'
import { SiteFilesError } from '../../plugins/sites-agent/install/failure.ts'
import { commands } from './commands.ts'
import { currentEnvironment, readEnvironment } from '../env.ts'
import type { Io } from './shared/io.ts'
import { hint } from '../nearest.ts'
import { secretValues } from '../secrets.ts'

/** Milliseconds that something a plugin left running may hold up the end of the process. */
const patience = 1000

/** Runs the command line of this process, which began with `file`, and sets its exit code. */
export async function main(args: readonly string[], file: string): Promise<void> {
  process.exitCode = await runCommandLine(args, processIo(file))
  setTimeout(() => process.exit(), patience).unref()
}

/**
 * Runs one command line and gives its exit code: 0 done, 1 it cannot be done, 2 the command line makes no
 * sense.
 */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  try {
    return await run(args, io)
  } catch (error) {
    if (error instanceof UsageError) io.complain(`${error.message}\nSee npx content-orchestrator --help.`)
    else if (error instanceof BootError || error instanceof CommandError || error instanceof SiteFilesError) io.complain(error.message)
    else io.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(words: readonly string[], io: Io): Promise<number> {
  const asksHelp = words[0] === 'help'
  const [name, ...args] = takeName(asksHelp ? words.slice(1) : words)
  if (name === undefined || name === '--help' || name === '-h') return tell(help(), io)
  if (name === '--version' || name === '-v' || args.includes('--version')) {
    return tell(version, io)
  }
  const command = commands.find((each) => each.name === name)
  const names = commands.map((each) => each.name)
  const longer = names.filter((each) => each.startsWith(`${name} `))
  if (longer.length > 0) throw new UsageError(`'${name}' needs another word: ${longer.join(', ')}`)
  if (!command) throw new UsageError(`there is no command '${name}'${hint(name, names)}`)
  if (asksHelp || args.includes('--help') || args.includes('-h')) return tell(helpOf(command), io)
  return command.run(readFlags(command, args), io)
}

/** The words of a command line, of which the first two are one where a command has such a name. */
function takeName(words: readonly string[]): readonly string[] {
  const name = words.slice(0, 2).join(' ')
  return commands.some((each) => each.name === name) ? [name, ...words.slice(2)] : words
}

function tell(text: string, io: Io): number {
  io.line(text)
  return 0
}

const help = (): string =>
  [
    'Usage: npx content-orchestrator <command> [flags]',
    '',
    'Commands:',
    ...drawHelp(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    'npx content-orchestrator help COMMAND lists the flags of a command,',
    'npx content-orchestrator --version prints the version.',
  ].join('\n')

/** The process itself as commands see it. */
function processIo(file: string): Io {
  const { stdout, stderr, stdin } = process
  // The reader may stop before the end, as `head` does: the rest is then dropped.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    command: [process.execPath, file],
    cwd: process.cwd(),
    environment: () => readEnvironment(process.cwd()),
    write: (text) => void stdout.write(text),
    line: (text) => void stdout.write(`${text}\n`),
    complain: (text) => void stderr.write(`${createRedactor(secretValues(currentEnvironment()))(text)}\n`),
    isTerminal: stdout.isTTY === true,
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    stdin,
  }
}
