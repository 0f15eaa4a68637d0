// `sachet completion`: prints a script that completes commands, flags and names in bash, zsh or fish.
import { Argument, type Command } from 'commander';

/** The words that can follow a command, and its flags. */
interface Place {
  /** `sachet clock`, for example. */
  readonly path: string;
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

const shells = { bash, zsh, fish } as const;

export const add = (line: Command): Command =>
  line
    .command('completion')
    .description('print a script that completes commands, flags and names')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  bash, in ~/.bashrc:  source <(sachet completion bash)
  zsh, in ~/.zshrc:    source <(sachet completion zsh)
  fish:                sachet completion fish > ~/.config/fish/completions/sachet.fish`,
    )
    .action((shell: keyof typeof shells) => void process.stdout.write(shells[shell](placesOf(line, 'sachet', []))));

/** Deeper places first: a place also matches the words in front of it. */
function placesOf(command: Command, path: string, inherited: readonly string[]): Place[] {
  const isRoot = inherited.length === 0;
  const flags = [...command.options.flatMap(({ long, short }) => [long, short]), ...inherited, '--help']
    .filter((flag) => flag !== undefined)
    .filter((flag) => flag.startsWith('--'));
  const names = command.commands.map((one) => one.name());
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const deeper = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`, isRoot ? ['--help'] : flags));
  return [...deeper, { path, words: [...names, ...choices], flags: [...new Set(flags)] }];
}

function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, words, flags }) => {
    const first = words.length > 0 ? `; [[ $before == '${path} ' ]] && words='${words.join(' ')}'` : '';
    return `    '${path} '*) flags='${flags.join(' ')}'${first} ;;`;
  });
  return `# Completes sachet in bash. Made by \`sachet completion bash\`.
_sachet() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='' flags=''
  local before="sachet \${COMP_WORDS[*]:1:COMP_CWORD-1} "
  [[ $COMP_CWORD -eq 1 ]] && before='sachet '
  case "$before" in
${cases.join('\n')}
  esac
  [[ $current == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sachet sachet
`;
}

/** zsh runs the script of bash. */
function zsh(places: readonly Place[]): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U bashcompinit && bashcompinit
${bash(places)}`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, flags }) => [
    ...(words.length > 0 ? [`complete -c sachet -n "__sachet_is '${path}'" -f -a '${words.join(' ')}'`] : []),
    ...flags.map((flag) => `complete -c sachet -n "__sachet_after '${path}'" -l ${flag.slice(2)}`),
  ]);
  return `# Completes sachet in fish. Made by \`sachet completion fish\`.
function __sachet_is
  test (string join ' ' -- (commandline -opc)) = $argv[1]
end
function __sachet_after
  string match -q -- "$argv[1] *" (string join ' ' -- (commandline -opc) '')
end
${lines.join('\n')}
`;
}
