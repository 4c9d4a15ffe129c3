"""plan.csv (date,start,end,title) to an .ics file"""
import csv, sys, uuid
print("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//travel-planner//EN")
for r in csv.DictReader(open(sys.argv[1])):
    d = r["date"].replace("-", "")
    print(f"BEGIN:VEVENT\nUID:{uuid.uuid4()}\nDTSTART:{d}T{r['start'].replace(':', '')}00\nDTEND:{d}T{r['end'].replace(':', '')}00\nSUMMARY:{r['title']}\nEND:VEVENT")
print("END:VCALENDAR")
