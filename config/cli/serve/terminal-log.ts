import type { Paint } from '../../../kernel/draw.ts'
import { isObject } from '../../values.ts'

const levels: Readonly<Record<number, readonly [label: string, style: Parameters<Paint>[0]]>> = {
  10: ['trace', 'dim'], 20: ['debug', 'dim'], 30: ['info', 'dim'],
  40: ['warning', 'yellow'], 50: ['error', 'red'], 60: ['fatal', 'red'],
}

/** Turns JSON log lines into text for a terminal: level, message, fields. Other lines are left as they are. */
export function toTerminalLines(lines: string, paint: Paint): string {
  return lines.replace(/^\{.*\}$/gm, (line) => toTerminalLine(line, paint))
}

function toTerminalLine(line: string, paint: Paint): string {
  const entry = parse(line)
  if (!entry) return line
  const { level, time: _time, msg, err, ...rest } = entry
  const [label, style] = levels[Number(level)] ?? ['log', 'dim']
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const trace = isObject(err) ? `\n${String(err['stack'] ?? err['message'] ?? '')}` : ''
  return [paint(style, label), String(msg ?? ''), paint('dim', fields.join(' '))].filter((part) => part !== '').join(' ') + trace
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
