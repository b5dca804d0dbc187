"""``python -m service``: the command line, which serves where no command is named."""

from service.cli.main import main

if __name__ == "__main__":
    main(prog_name="oklahoma-gin-service")
