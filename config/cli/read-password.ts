import { text } from 'node:stream/consumers'
import { CommandError } from './shared/command.ts'
import type { Input, Io } from './shared/io.ts'

/**
 * Reads a password: from a terminal twice and without showing it, else all of standard input without its
 * last line break.
 *
 * Refuses, as a CommandError, an empty one, two that differ, and one that begins or ends with blanks:
 * editors cut those off.
 */
export async function readPassword({ stdin, complain }: Pick<Io, 'stdin' | 'complain'>): Promise<string> {
  const password = stdin.isTTY ? await askTwice(stdin, complain) : (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '') {
    throw new CommandError('there is no password on standard input; type one, or let --generate make one')
  }
  if (password !== password.trim()) {
    throw new CommandError('the password begins or ends with a blank, which editors cut off; choose another')
  }
  return password
}

async function askTwice(stdin: Input, complain: Io['complain']): Promise<string> {
  complain('Password (it is not shown):')
  const first = await readHidden(stdin)
  complain('Once more:')
  if ((await readHidden(stdin)) === first) return first
  throw new CommandError('the two passwords differ; start again')
}

/** Reads one line from a terminal in raw mode, where nothing that is typed is echoed. */
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
