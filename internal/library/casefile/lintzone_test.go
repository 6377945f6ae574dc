package casefile

import "testing"

func TestZoneNames(t *testing.T) {
	for _, tt := range []struct{ zone, at, want string }{
		{"KST", "2026-03-02T18:05+09:00", ""},
		{"kst", "2026-03-02T18:05+09:00", ""},
		{"UTC", "2026-03-02T18:05Z", ""},
		{"UTC", "2026-03-02T18:05+09:00", "UTC is +00:00, and the time 2026-03-02T18:05+09:00 is not"},
		{"KST", "2026-03-02T18Z", "KST is +09:00, and the time 2026-03-02T18Z is not"},
		{"한국 시간", "2026-03-02T18:05Z", "한국 시간 is +09:00, and the time 2026-03-02T18:05Z is not"},
		{"PST", "2026-01-02T18:05-08:00", ""},
		{"PST", "2026-01-02T18:05-07:00", "PST is -08:00 or +08:00, and the time 2026-01-02T18:05-07:00 is not"},
		{"PST", "2026-07-02T18:05-08:00", "PST was not in force at 2026-07-02T18:05-08:00, PDT was"},
		{"PST", "2026-07-02T18:05+08:00", ""}, // of the Philippines
		{"PDT", "2026-07-02T18:05-07:00", ""},
		{"PDT", "2026-01-02T18:05-07:00", "PDT was not in force at 2026-01-02T18:05-07:00, PST was"},
		{"EST", "2026-07-02T18:05-05:00", ""}, // there are places with it all year
		{"EDT", "2026-12-02T18:05-04:00", "EDT was not in force at 2026-12-02T18:05-04:00, EST was"},
		{"CST", "2026-07-02T18:05+08:00", ""},
		{"PT", "2026-07-02T18:05-07:00", ""},
		{"PT", "2026-07-02T18:05-08:00", "PT was -07:00 on that day, and the time 2026-07-02T18:05-08:00 is not"},
		{"US/Pacific", "2026-12-02T18:05-08:00", ""},
		{"CEST", "2026-12-02T18:05+02:00", "CEST was not in force at 2026-12-02T18:05+02:00, CET was"},
		{"CEST", "2026-07-02T18:05+02:00", ""},
		{"Elbonia Time", "2026-07-02T18:05+02:00", ""},

		// The hours of the change.
		{"PST", "2026-03-08T01:59-08:00", ""},
		{"PST", "2026-03-08T02:00-08:00", "PST was not in force at 2026-03-08T02:00-08:00, PDT was"},
		{"PDT", "2026-03-08T03:00-07:00", ""},
		{"PDT", "2026-11-01T01:59-07:00", ""},
		{"PST", "2026-11-01T01:00-08:00", ""},
		{"PDT", "2026-11-01T02:00-07:00", "PDT was not in force at 2026-11-01T02:00-07:00, PST was"},
		{"PDT", "2006-03-20T02:00-07:00", "PDT was not in force at 2006-03-20T02:00-07:00, PST was"},
		{"CEST", "2026-03-29T03:00+02:00", ""},
		{"CEST", "2026-10-25T03:00+02:00", "CEST was not in force at 2026-10-25T03:00+02:00, CET was"},
	} {
		at, err := ParseTime(tt.at)
		if err != nil {
			t.Fatal(err)
		}
		zone, got := tt.zone, ""
		if z, ok := zoneOf(zone); ok {
			got = z.contradicts(zone, at)
		}
		if got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.at, zone, got, tt.want)
		}
	}
}
