package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// commandGroup is what belongs together in the list of commands.
type commandGroup struct {
	id       string
	title    bilingual.Text
	commands []func() *cobra.Command
}

// groups are all commands, by what one comes with.
func (p *process) groups() []commandGroup {
	return []commandGroup{
		{"read", bilingual.Text{En: "Read the library:", Ko: "라이브러리 읽기:"}, []func() *cobra.Command{
			p.guideCommand, p.listCommand, p.searchCommand, p.showCommand, p.similarCommand, p.topicCommand, p.vocabCommand,
		}},
		{"simulate", bilingual.Text{En: "Replay and simulate:", Ko: "재현과 시뮬레이션:"}, []func() *cobra.Command{
			p.explainCommand, p.exploreCommand, p.judgeCommand, p.mapCommand, p.partsCommand, p.remediesCommand,
			p.replayCommand, p.runCommand, p.stressCommand,
		}},
		{"check", bilingual.Text{En: "Check your own system:", Ko: "내 시스템 점검:"}, []func() *cobra.Command{
			p.checkCommand, p.checksCommand,
		}},
		{"write", bilingual.Text{En: "Write a library:", Ko: "라이브러리 쓰기:"}, []func() *cobra.Command{
			p.fmtCommand, p.importCommand, p.initCommand, p.lintCommand, p.newCommand, p.schemaCommand,
		}},
		{"serve", bilingual.Text{En: "Serve it:", Ko: "서버 열기:"}, []func() *cobra.Command{
			p.mcpCommand, p.serveCommand,
		}},
		{"other", bilingual.Text{En: "Other commands:", Ko: "그 밖의 명령:"}, []func() *cobra.Command{p.versionCommand}},
	}
}

// addCommands adds all commands in their groups. The titles are in the language
// of the reader, which is known only when the help is shown.
func (p *process) addCommands(root *cobra.Command) {
	groups := p.groups()
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title.En})
		for _, command := range g.commands {
			cmd := command()
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		for i, g := range groups {
			root.Groups()[i].Title = g.title.In(p.speech())
		}
		help(cmd, args)
	})
}
