import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'

/** Asks a question on the terminal; anything but `y` or `yes` is a no, and so is the end of the input. */
export async function askYes(question: string, { stdin, write }: Pick<Io, 'stdin' | 'write'>): Promise<boolean> {
  write(`${question} (yes or no) `)
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    for await (const line of lines) return ['y', 'yes'].includes(line.trim().toLowerCase())
    return false
  } finally {
    lines.close()
    stdin.pause()
  }
}
