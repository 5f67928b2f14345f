import { Argument, type Command } from 'commander';

/** The command that writes a shell's completion of all commands and their options. */
export function addCompletionCommand(root: Command, out: (text: string) => void): void {
  root
    .command('completion')
    .description(
      'print a completion script for a shell; load it in bash with: source <(npm run -s cli -- completion bash)',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action((shell: string) =>
      out(shell === 'zsh' ? `autoload -U bashcompinit && bashcompinit\n${script(root)}` : script(root)),
    );
}

/** Returns a script that defines the alias `causeway` for `npm run -s cli --` and completes its commands. */
function script(root: Command): string {
  const cases = [...wordsOf(root)].map(([words, next]) => `    '${words}') next='${next.join(' ')}' ;;`);
  return `alias causeway='npm run -s cli --'
_causeway() {
  local path='' word next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path $word" ;; esac
  done
  case "\${path# }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _causeway causeway
`;
}

/** The words that may follow each command. */
function wordsOf(command: Command, path: readonly string[] = []): Map<string, string[]> {
  const options = command.options.flatMap(({ long }) => (long === null || long === undefined ? [] : [long]));
  const children = command.commands.map((child) => child.name());
  const words = new Map([[path.join(' '), [...children, ...options]]]);
  for (const child of command.commands) {
    for (const [key, value] of wordsOf(child, [...path, child.name()])) words.set(key, value);
  }
  return words;
}
