import { UsageError, defineCommand, type Command, type Flag } from '../command.ts'

const programs = ['content-orchestrator', 'orchestrator']

const flagsOf = ({ flags }: Command): readonly [string, Flag][] => Object.entries<Flag>({ ...flags, help: { help: 'Prints the help.' } })
/** A text between single quotes; no shell reads anything in it. */
const quoted = (text: string, escaped = String.raw`'\''`): string => `'${text.replaceAll("'", escaped)}'`

const bash = (all: readonly Command[]): string => `_content_orchestrator() {
  local words
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
    1:*) words="${all.map(({ name }) => name).join(' ')}" ;;
${all.map((command) => `    *:${command.name}) words="${flagsOf(command).map(([name]) => `--${name}`).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _content_orchestrator ${programs.join(' ')}`

const zsh = (all: readonly Command[]): string => `_content_orchestrator() {
  local -a found
  case "$CURRENT:$words[2]" in
    2:*) found=(${all.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')}) ;;
${all.map((command) => `    *:${command.name}) found=(${flagsOf(command).map(([name, { help }]) => quoted(`--${name}:${help.replaceAll(':', String.raw`\:`)}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'word' found || _files
}
compdef _content_orchestrator ${programs.join(' ')}`

const fish = (all: readonly Command[]): string =>
  programs.flatMap((program) =>
    all.flatMap((command) => [
      `complete -c ${program} -f -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary, String.raw`\'`)}`,
      ...flagsOf(command).map(([name, { value, help }]) =>
        `complete -c ${program} -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${value === undefined ? '' : ' -r'} -d ${quoted(help, String.raw`\'`)}`),
    ]),
  ).join('\n')

const shells: Readonly<Record<string, (all: readonly Command[]) => string>> = { bash, zsh, fish }

/** The command that prints how shells complete these commands. */
export const completionOf = (commands: () => readonly Command[]) => defineCommand({
  name: 'completion',
  summary: 'Prints a script that completes commands and flags in bash, zsh or fish.',
  operand: 'SHELL',
  flags: {},
  async run({ operand = '' }, io) {
    const script = Object.hasOwn(shells, operand) ? shells[operand] : undefined
    if (!script) throw new UsageError(`there is no completion for '${operand}'; name one of ${Object.keys(shells).join(', ')}`)
    io.line(script(commands()))
    return 0
  },
})
