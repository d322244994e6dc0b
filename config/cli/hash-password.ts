import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { toPlainHash, toSaltedHash } from '../../plugins/auth/index.ts'
import { CommandError, defineCommand, type Input, type Io } from './shared/command.ts'

const strength = 128

export const hashPassword = defineCommand({
  name: 'hash-password',
  summary: 'Prints the hash of a password, for ACCESS_PASSWORD_HASH.',
  flags: {
    generate: { help: `Makes a password of ${strength} random bits, and prints it to standard error.` },
    sha256: { help: 'Prints a plain SHA-256, which is quick to guess from: for a password of --generate.' },
  },
  async run(given, io) {
    const password = given.has('generate')
      ? randomBytes(strength / 8).toString('base64url')
      : await readPassword(io)
    if (given.has('generate')) io.printError(`The password, shown this once: ${password}`)
    io.print(given.has('sha256') ? toPlainHash(password) : await toSaltedHash(password))
  },
})

/** Reads a password: from a terminal twice without echo, else stdin without its last line break. */
async function readPassword({ stdin, printError }: Io): Promise<string> {
  if (stdin.isTTY) printError('Password (not shown):')
  const password = stdin.isTTY ? await readHidden(stdin) : (await text(stdin)).replace(/\r?\n$/, '')
  if (stdin.isTTY) printError('Once more:')
  if (stdin.isTTY && (await readHidden(stdin)) !== password)
    throw new CommandError('the passwords do not match; try again')
  if (password === '') throw new CommandError('standard input has no password; type one, or use --generate')
  if (password !== password.trim()) {
    throw new CommandError(
      'the password begins or ends with white space, which editors remove; choose another',
    )
  }
  return password
}

/** Reads one line from a terminal in raw mode, without echo. */
async function readHidden(stdin: Input): Promise<string> {
  let typed = ''
  stdin.setRawMode?.(true)
  stdin.setEncoding('utf8')
  try {
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      for (const key of String(chunk)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return typed
        if (key === '\u0003') throw new CommandError('stopped by Ctrl+C')
        typed = key === '\u007F' || key === '\b' ? [...typed].slice(0, -1).join('') : typed + key
      }
    }
    return typed
  } finally {
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}
